import type { Db } from '../../engines/metadata/index.ts'
import { jobReference, type Lineage, type Sighting } from '../lineage/index.ts'
import { readContent } from './definition.ts'
import type { DashboardRow } from './migrations.ts'
import { dataOf } from './model/data.ts'

const PROVENANCE = { how: 'captured', who: 'dashboards' } as const

const jobOf = ({ id }: Pick<DashboardRow, 'id'>): string => jobReference('dashboard', id)

const outputOf = ({ id }: Pick<DashboardRow, 'id'>): string => `dashboard://${id}`

/** What others may call a dashboard: the name of a private one is nobody's business. */
export const publicNameOf = ({ name, everyone }: Pick<DashboardRow, 'name' | 'everyone'>): string =>
  everyone === 'none' ? 'a private dashboard' : name

/** Tells the lineage what a dashboard reads, in the transaction that writes the dashboard. */
export async function tellReads(tx: Db, lineage: Pick<Lineage, 'saw'>, row: DashboardRow): Promise<void> {
  const name = publicNameOf(row)
  const sighting: Sighting = {
    job: { reference: jobOf(row), name },
    run: {
      // Of changes at the same time the last one counts.
      id: `v${String(row.version).padStart(8, '0')}`,
      state: 'completed',
      timeMs: Date.parse(row.updated_at),
      isWhole: true
    },
    inputs: dataOf(readContent(row)).map((reference) => ({ reference })),
    outputs: [{ reference: outputOf(row), name, owners: [row.owner_name] }],
    columns: [],
    provenance: PROVENANCE
  }
  await lineage.saw(tx, [sighting])
}

export async function tellRemoved(
  tx: Db,
  lineage: Pick<Lineage, 'removed' | 'ownerRemoved'>,
  row: DashboardRow
): Promise<void> {
  await lineage.removed(tx, jobOf(row), PROVENANCE)
  await lineage.ownerRemoved(tx, outputOf(row))
}
