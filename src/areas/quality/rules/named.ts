import type { Db } from '../../../engines/metadata/index.ts'
import type { Guard } from '../../classification/index.ts'
import type { Rule } from './schema.ts'
import { findRules } from './store.ts'
import { isShownWhole, toRule } from './view.ts'

/** A rule as others use it who name it. */
export interface NamedRule extends Pick<Rule, 'id' | 'name' | 'type' | 'config' | 'enabled'> {
  /** Whether everybody may see all of it. Words that are kept for many to read must not quote another one. */
  readonly isOpen: boolean
}

/** Those of these rules that there are, of whichever datasets. */
export async function namedRules(
  db: Db,
  guard: Pick<Guard, 'maskForAll'>,
  ids: readonly string[]
): Promise<NamedRule[]> {
  const found: NamedRule[] = []
  for (const row of await findRules(db, ids)) {
    const rule = toRule(row)
    const { id, name, type, config, enabled } = rule
    const isOpen = isShownWhole(rule, await guard.maskForAll([rule.dataset]))
    found.push({ id, name, type, config, enabled, isOpen })
  }
  return found
}
