import { driverOf, findSource } from '../../engines/drivers/index.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { createOutbound, type Outbound } from '../../engines/outbound/index.ts'
import type { KnownReader } from '../../engines/sql/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import type { Installation } from '../../finding.ts'
import { openConfig } from '../../http/sealed-config.ts'
import { driversDir } from '../../platform.ts'
import type { ConnectorRow } from './migrations.ts'
import { contextOf } from './secret-keeping.ts'

const MAX_CONNECTORS = 100
const TIMEOUT_MS = 5000
const noAnswer = failingWith(`no answer within ${TIMEOUT_MS / 1000} s`)

/** For whom the databases of connectors keep their logs, by names that begin so; those that do not answer are left out, which is told elsewhere. */
export async function keptReaders(
  { metadata, vault, config, clock }: Installation,
  prefix: string
): Promise<{ readonly connector: Pick<ConnectorRow, 'id' | 'name'>; readonly reader: KnownReader }[]> {
  if (metadata === undefined || vault === undefined) return []
  // A database of an older version may have no such table.
  const areThere = await hasRows(metadata.db.selectFrom('connectors')).catch(() => false)
  if (!areThere) return []
  const rows = await metadata.db.selectFrom('connectors').selectAll().orderBy('id').limit(MAX_CONNECTORS).execute()
  const outbound = createOutbound({ ...config, clock })
  const listed = async (row: ConnectorRow) => {
    const asked = readersOf(row, { outbound, vault, packagesFolder: driversDir(config) }, prefix)
    const readers = await within(clock, TIMEOUT_MS, asked, noAnswer).catch(() => [])
    return readers.map((reader) => ({ connector: row, reader }))
  }
  try {
    return (await Promise.all(rows.map(listed))).flat()
  } finally {
    await outbound.close()
  }
}

async function readersOf(
  row: ConnectorRow,
  needs: {
    readonly outbound: Outbound
    readonly vault: NonNullable<Installation['vault']>
    readonly packagesFolder: string
  },
  prefix: string
): Promise<KnownReader[]> {
  const source = findSource(row.source_id)
  if (source?.hasChanges !== true) return []
  const opened = await (await driverOf(source)).open(openConfig(needs.vault, contextOf(row.id), row), source, needs)
  try {
    return (await opened.readers?.list(prefix)) ?? []
  } finally {
    await opened.close()
  }
}
