import type { Db } from '../../../engines/metadata/index.ts'
import { readDefinition } from './definition.ts'
import type { Rule } from './schema.ts'
import { findRules } from './store.ts'

/** A rule as others use it who name it. */
export type NamedRule = Pick<Rule, 'id' | 'name' | 'type' | 'config' | 'enabled'>

/** Those of these rules that there are, of whichever datasets. */
export async function namedRules(db: Db, ids: readonly string[]): Promise<NamedRule[]> {
  const rows = await findRules(db, ids)
  return rows.map((row) => {
    const { config } = readDefinition(row)
    return { id: row.id, name: row.name, type: row.type, config, enabled: row.enabled === 1 }
  })
}
