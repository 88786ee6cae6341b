import type { Db } from '../../../engines/metadata/index.ts'
import { jobReference, type Lineage, type Sighting } from '../../lineage/index.ts'
import type { RuleRow } from '../migrations.ts'
import { parsedCondition } from './conditions.ts'
import { dataOf } from './data.ts'
import { readDefinition } from './definition.ts'

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
    inputs: [...new Set(conditions.flatMap((condition) => dataOf(parsedCondition(condition))))].map((reference) => ({
      reference
    })),
    outputs: [],
    columns: [],
    provenance: PROVENANCE
  }
  await lineage.saw(tx, [sighting])
}

export const tellRemoved = (tx: Db, lineage: Pick<Lineage, 'removed'>, row: RuleRow): Promise<void> =>
  lineage.removed(tx, jobOf(row), PROVENANCE)
