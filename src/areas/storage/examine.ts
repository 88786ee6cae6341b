import { randomBytes } from 'node:crypto'
import { hasRows } from '../../engines/metadata/index.ts'
import { openStore, StoreError } from '../../engines/objects/index.ts'
import { createOutbound, type Outbound } from '../../engines/outbound/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { type Finding, type Installation, ok, reasonOf, warn } from '../../finding.ts'
import { objectsDir } from '../../platform.ts'
import { openCredentials } from './credentials.ts'
import type { ProviderRow } from './migrations.ts'
import { isDisk, settingsOf } from './settings.ts'

const SUBJECT = 'storage'
const MAX_PROVIDERS = 100
const TIMEOUT_MS = 5000
/** After these errors the store is well: it answers and accepts the credentials. */
const SHOWS_ACCESS = new Set(['no_such_bucket', 'access_denied', 'throttled'])

/** Checks remote providers: each is asked for a bucket that does not exist. */
export async function checkProviders(installation: Installation): Promise<Finding[]> {
  const { metadata, vault, config, clock } = installation
  if (metadata === undefined || vault === undefined) return []
  // A database of an older version may have no such table.
  const areThere = await hasRows(metadata.db.selectFrom('storage_providers')).catch(() => false)
  if (!areThere) return []
  const query = metadata.db.selectFrom('storage_providers').selectAll().where('built_in', '=', 0)
  const rows = (await query.orderBy('id').limit(MAX_PROVIDERS).execute()).filter((row) => !isDisk(row))
  if (rows.length === 0) return []
  const outbound = createOutbound({ ...config, clock })
  try {
    const found = await Promise.all(rows.map((row) => wrongWith(row, installation, vault, outbound)))
    const wrong = found.filter((each) => each !== undefined)
    return wrong.length > 0 ? wrong : [ok(SUBJECT, `${rows.length} provider(s) elsewhere answer`)]
  } finally {
    await outbound.close()
  }
}

async function wrongWith(
  row: ProviderRow,
  { config, clock }: Installation,
  vault: NonNullable<Installation['vault']>,
  outbound: Outbound
): Promise<Finding | undefined> {
  try {
    const settings = settingsOf(row, openCredentials(vault, row), objectsDir(config))
    const { store, close } = await openStore(settings, { outbound: async () => outbound, now: clock.now })
    const bucket = `${row.bucket_prefix}doctor-${randomBytes(8).toString('hex')}`
    try {
      await within(clock, TIMEOUT_MS, store.list(bucket, { prefix: '', folders: false, limit: 1 }), noAnswer)
    } finally {
      await close()
    }
    return undefined
  } catch (error) {
    if (error instanceof StoreError && SHOWS_ACCESS.has(error.code)) return undefined
    const mend = `POST /api/storage/providers/${row.id}/test tries each thing by itself`
    return warn(SUBJECT, `${row.id} ${JSON.stringify(row.name)}: ${reasonOf(error)}; ${mend}`)
  }
}

const noAnswer = failingWith(`no answer within ${TIMEOUT_MS / 1000} s`)
