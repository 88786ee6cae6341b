import { RULES } from '../rules.ts'
import type { EnumTree } from '../tree.ts'
import type { Findings } from './findings.ts'

const MAX_SHOWN = 20
const MAX_CHARS = 200

/** `const` is an `enum` of one. */
export function compareEnums(written: EnumTree, read: EnumTree, out: Findings): void {
  const gone = missing(written, read)
  const fresh = missing(read, written)
  const path = written.isConst && read.isConst ? '/const' : '/enum'
  if (gone.length > 0 && fresh.length > 0) out.add(RULES.enum_changed, path, gone, fresh)
  else if (gone.length > 0) out.add(RULES.enum_reduced, path, gone)
  else if (fresh.length > 0) out.add(RULES.enum_extended, path, undefined, fresh)
}

/** Values of one that the other has not, as far as people can take them in. */
function missing(from: EnumTree, other: EnumTree): unknown[] {
  const found: unknown[] = []
  for (const [text, value] of from.values) {
    if (found.length === MAX_SHOWN) break
    if (!other.values.has(text)) found.push(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : value)
  }
  return found
}
