import type { Rule } from '../../format.ts'
import { RULES } from '../rules.ts'
import { type Tree, typeName } from '../tree.ts'
import type { Findings } from './findings.ts'

/** `min…` and `max…` keywords; without one the limit is 0 or infinite. */
export function compareLimits(
  keyword: string,
  before: number,
  after: number,
  rules: { readonly narrowed: Rule; readonly widened: Rule },
  out: Findings
): void {
  if (before === after) return
  const isNarrowed = keyword.startsWith('min') ? after > before : after < before
  out.add(isNarrowed ? rules.narrowed : rules.widened, `/${keyword}`, shown(keyword, before), shown(keyword, after))
}

/** Undefined for a limit that is none. */
function shown(keyword: string, limit: number): number | undefined {
  return limit === Number.POSITIVE_INFINITY || (limit === 0 && keyword.startsWith('min')) ? undefined : limit
}

/** Whether `type` is there, or only keywords of a type, which ask nothing of values of other types. */
export function compareTyped(
  written: Tree & { readonly isTyped: boolean },
  read: Tree & { readonly isTyped: boolean },
  out: Findings
): void {
  if (written.isTyped && !read.isTyped) out.add(RULES.type_left_open, '/type', typeName(written))
  if (!written.isTyped && read.isTyped) out.add(RULES.type_made_explicit, '/type', undefined, typeName(read))
}
