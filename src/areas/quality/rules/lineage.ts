import type { Db } from '../../../engines/metadata/index.ts'
import { type ColumnPlace, jobReference, type Lineage, type Sighting } from '../../lineage/index.ts'
import type { RuleRow } from '../migrations.ts'
import { datasetsOf } from './resources.ts'

const PROVENANCE = { how: 'captured', who: 'quality' } as const

const jobOf = ({ id }: Pick<RuleRow, 'id'>): string => jobReference('quality-rule', id)

/** Tells the lineage what a rule reads, and which columns decide about it, in the transaction that writes the rule. */
export async function tellReads(
  tx: Db,
  lineage: Pick<Lineage, 'saw'>,
  row: RuleRow,
  columns: readonly ColumnPlace[]
): Promise<void> {
  // It writes no data: what its columns decide about is the rule itself.
  const to = { reference: jobOf(row), column: null }
  const sighting: Sighting = {
    job: { reference: jobOf(row), name: row.name, description: row.description },
    // Of changes at the same time the last one counts.
    run: {
      id: `v${String(row.version).padStart(8, '0')}`,
      state: 'completed',
      timeMs: Date.parse(row.updated_at),
      isWhole: true
    },
    inputs: datasetsOf(row).map((reference) => ({ reference })),
    outputs: [],
    columns: columns.map((from) => ({ from, to, kind: 'filtered' })),
    provenance: PROVENANCE
  }
  await lineage.saw(tx, [sighting])
}

export const tellRemoved = (tx: Db, lineage: Pick<Lineage, 'removed'>, row: RuleRow): Promise<void> =>
  lineage.removed(tx, jobOf(row), PROVENANCE)
