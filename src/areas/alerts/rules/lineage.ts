import { isPattern } from '../../../data/glob.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { jobReference, type Lineage, parseNode, type Sighting } from '../../lineage/index.ts'
import type { RuleRow } from '../migrations.ts'
import { parsedCondition } from './conditions.ts'
import { readDefinition } from './definition.ts'
import type { Condition } from './schema.ts'

const PROVENANCE = { how: 'captured', who: 'alerts' } as const

const jobOf = ({ id }: Pick<RuleRow, 'id'>): string => jobReference('alert-rule', id)

/** Tells the lineage what a rule reads, in the transaction that writes the rule. */
export async function tellReads(tx: Db, lineage: Pick<Lineage, 'saw'>, row: RuleRow): Promise<void> {
  const { conditions } = readDefinition(row)
  const sighting: Sighting = {
    job: { reference: jobOf(row), name: row.name, description: row.description },
    // Of changes at the same time the last one counts.
    run: {
      id: `v${String(row.version).padStart(8, '0')}`,
      state: 'completed',
      timeMs: Date.parse(row.updated_at),
      isWhole: true
    },
    inputs: [...new Set(conditions.flatMap(referencesOf))].map((reference) => ({ reference })),
    outputs: [],
    columns: [],
    provenance: PROVENANCE
  }
  await lineage.saw(tx, [sighting])
}

export const tellRemoved = (tx: Db, lineage: Pick<Lineage, 'removed'>, row: RuleRow): Promise<void> =>
  lineage.removed(tx, jobOf(row), PROVENANCE)

/** The data that a condition reads: of points, one tag, or the source where it is a pattern of them. */
function referencesOf(condition: Condition): string[] {
  const parsed = parsedCondition(condition)
  switch (parsed.kind) {
    case 'event':
      return []
    case 'sql':
      return Object.values(parsed.relations)
    case 'points': {
      const source = `series://${parsed.sourceId}`
      const tag = `${source}/${parsed.tag}`
      return [...(isPattern(parsed.tag) ? [] : [tag]), source].filter(isReference).slice(0, 1)
    }
  }
}

/** A source or a tag may have a name that no reference can have. */
const isReference = (text: string): boolean => !('problem' in parseNode(text))
