import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { DataActivity } from './data/activity.ts'
import { holds, lostDatabase, requireDataDir, unusableDataDir } from './data-dir.ts'
import { metadataFile, secretFile, slotsDir, unfinishedRestoreFile } from './data-paths.ts'
import { diskSpace } from './disk-space.ts'
import type { Bus } from './engines/bus/index.ts'
import { createMemoryBus } from './engines/bus/memory.ts'
import { type Clock, systemClock } from './engines/clock.ts'
import { FolderInUse, lockFolder } from './engines/folder-lock.ts'
import type { BuiltinIdentity } from './engines/identity/builtin.ts'
import type { Identity } from './engines/identity/index.ts'
import type { OidcOptions } from './engines/identity/oidc.ts'
import { createIds, type MakeId } from './engines/ids.ts'
import { createJobs, type FailedAttempt, type Jobs, jobMigrations } from './engines/jobs/index.ts'
import { createLog, type Log } from './engines/log.ts'
import { type Db, type Metadata, type Migration, openMetadata } from './engines/metadata/index.ts'
import type { Outbound } from './engines/outbound/index.ts'
import { closeToOthers } from './engines/own-files.ts'
import {
  DiskHomes,
  noReplicas,
  type Replicas,
  ReplicaWatch,
  replicaMigrations,
  type Slot,
  takeSlot
} from './engines/replicas/index.ts'
import type { Series } from './engines/series/index.ts'
import { createVault, type Vault } from './engines/vault/index.ts'
import { readOrMakeSecret } from './engines/vault/secret-file.ts'
import { DATABASE_AWAY, PROVIDER_AWAY, withPublicFailure } from './health-words.ts'
import { missingForReplicas } from './kept-on-disks.ts'
import { lazySeries } from './lazy-series.ts'
import { withOutagesSummed } from './outage-log.ts'

export {
  anchorFile,
  diskIdFile,
  driversDir,
  metadataFile,
  objectsDir,
  pipelinesDir,
  planeDir,
  secretFile,
  seriesDir,
  spoolDir,
  unfinishedRestoreFile
} from './data-paths.ts'

/** The engines that the configuration names, built and connected. */
export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly makeId: MakeId
  readonly log: Log
  readonly vault: Vault
  readonly metadata: Metadata
  readonly bus: Bus
  readonly jobs: Jobs
  readonly identity: Identity
  readonly replicas: Replicas
  /** A name that no other running process with the same `DATA_DIR` has. */
  readonly processName: string
  /** The guarded client for calls to the outside, loaded when first asked for. */
  outbound(): Promise<Outbound>
  /** The points of time series, opened when first asked for. */
  series(): Promise<Series>
  /** Time series where they are open or being opened; undefined where nobody has asked for them. */
  openedSeries(): Promise<Series> | undefined
  /** Counts of what was done with data so far. */
  readonly activity: DataActivity
  readonly diskSpace: typeof diskSpace
  /** The issuer of tokens, while no outside provider is configured. */
  readonly issuer: BuiltinIdentity | undefined
  close(): Promise<void>
}

export interface PlatformParts {
  readonly clock?: Clock
  readonly log?: Log
  readonly diskSpace?: typeof diskSpace
}

export async function openPlatform(config: Config, parts: PlatformParts = {}): Promise<Platform> {
  const clock = parts.clock ?? systemClock
  const log = withOutagesSummed(parts.log ?? createLog(config.logLevel), clock)
  const makeId = createIds(clock)
  const { processName, slot, unlock } = takeDataDir(config)
  closeDataDir(config, log)
  const vault = openVault(config)
  const metadata = await openMetadata({ databaseUrl: config.databaseUrl, file: metadataFile(config) })
  if (config.databaseUrl !== undefined) metadata.ping = withPublicFailure(DATABASE_AWAY, metadata.ping, clock)
  const bus = createMemoryBus((error, event) => log.error({ err: error, event: event.type }, 'a subscriber failed'))
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed and will be tried again')
  const onFailure = (failure: FailedAttempt) => log.warn(failure, 'an attempt at a background job failed')
  const jobs = createJobs({ metadata, bus, clock, makeId, onError, onFailure })
  const { identity, issuer } = await openIdentity(config, vault, clock)
  if (issuer === undefined) identity.check = withPublicFailure(PROVIDER_AWAY, identity.check, clock)
  let outbound: Promise<Outbound> | undefined
  const replicas =
    slot === undefined
      ? noReplicas
      : new ReplicaWatch({
          metadata,
          clock,
          id: slot.id,
          homes: new DiskHomes({
            metadata,
            own: { id: slot.folderId, host: hostname(), folder: config.dataDir },
            holds: (kept) => holds(config, kept)
          }),
          onChange: (isAlone) => tellOfReplicas(config, log, isAlone)
        })
  const activity = new DataActivity()
  const series = lazySeries(config, log, replicas, activity)
  return {
    config,
    clock,
    makeId,
    log,
    vault,
    metadata,
    bus,
    jobs,
    identity,
    issuer,
    replicas,
    processName,
    outbound: () => {
      outbound ??= import('./engines/outbound/index.ts').then(({ createOutbound }) =>
        createOutbound({ ...config, clock })
      )
      return outbound
    },
    series: series.open,
    openedSeries: series.opened,
    activity,
    diskSpace: parts.diskSpace ?? diskSpace,
    async close() {
      await series.close()
      await replicas.close()
      await (await outbound)?.close()
      await identity.close()
      await bus.close()
      await metadata.close()
      unlock()
    }
  }
}

function tellOfReplicas(config: Config, log: Log, isAlone: boolean): void {
  const missing = missingForReplicas(config)
  if (missing.length === 0) return
  if (isAlone) log.info({ missing }, 'the only replica again: what is on its own disk can be used again')
  else
    log.warn({ missing }, 'another replica shares the database: what is on own disks is refused; set what is missing')
}

interface DataDirHold {
  readonly processName: string
  /** The slot of this process in `DATA_DIR`; undefined where there can be no other process. */
  readonly slot: Slot | undefined
  unlock(): void
}

function takeDataDir(config: Config): DataDirHold {
  requireDataDir(config)
  const hold = holdOrExplain(config)
  const problem = existsSync(unfinishedRestoreFile(config))
    ? "A restore into DATA_DIR was interrupted: run 'millrace restore' again, with --force"
    : lostDatabase(config)
  if (problem === undefined) return hold
  hold.unlock()
  throw new ConfigError([problem])
}

function holdOrExplain(config: Config): DataDirHold {
  try {
    return holdDataDir(config)
  } catch (error) {
    throw error instanceof FolderInUse ? error : unusableDataDir(config, error)
  }
}

function holdDataDir(config: Config): DataDirHold {
  if (config.databaseUrl === undefined) {
    return { processName: 'own', slot: undefined, unlock: lockFolder(config.dataDir) }
  }
  // Replicas that share a database may share the folder too.
  const slot = takeSlot(slotsDir(config))
  return { processName: slot.name, slot, unlock: slot.release }
}

function closeDataDir({ dataDir }: Config, log: Log): void {
  const { closed, left } = closeToOthers(dataDir)
  if (closed > 0) log.warn({ closed }, 'others could read files in DATA_DIR; they can no longer')
  if (left.length > 0) {
    const first = left[0]
    log.warn({ left: left.length, first }, 'others can read files in DATA_DIR that another user owns; chown them')
  }
}

export function openVault(config: Config): Vault {
  if (config.secretKeys === undefined && existsSync(metadataFile(config)) && !existsSync(secretFile(config))) {
    throw new ConfigError([
      'secret.key is missing beside the database in DATA_DIR: restore it, or set SECRET_KEY to it'
    ])
  }
  const [first, ...others] = config.secretKeys ?? [readOrMakeSecret(secretFile(config)).secret]
  return createVault([first as string, ...others])
}

async function openIdentity(config: Config, vault: Vault, clock: Clock) {
  if (config.oidc !== undefined) {
    const { createOidcIdentity } = await import('./engines/identity/oidc.ts')
    return { identity: createOidcIdentity({ ...config.oidc, clock } as OidcOptions) as Identity, issuer: undefined }
  }
  const issuer = await openBuiltinIdentity(vault, clock)
  return { identity: issuer as Identity, issuer }
}

export async function openBuiltinIdentity(vault: Vault, clock: Clock): Promise<BuiltinIdentity> {
  const { createBuiltinIdentity } = await import('./engines/identity/builtin.ts')
  const seed = vault.derive('token-issuer')
  return createBuiltinIdentity({ seed, issuer: 'millrace', audience: 'millrace', clock })
}

declare module './engines/metadata/index.ts' {
  interface Tables {
    settings: { key: string; value: string }
  }
}

export const platformMigrations: readonly Migration[] = [
  ...jobMigrations,
  {
    id: 'platform/001-settings',
    async up(db: Kysely<unknown>, type) {
      await db.schema
        .createTable('settings')
        .addColumn('key', type.text, (column) => column.primaryKey())
        .addColumn('value', type.text, (column) => column.notNull())
        .execute()
    }
  },
  ...replicaMigrations
]

const VAULT_CHECK = 'vault-check'

/** Whether the vault opens what was sealed in this database; undefined before the database's first start. */
export async function vaultFits(db: Db, vault: Vault): Promise<boolean | undefined> {
  const known = await db.selectFrom('settings').select('value').where('key', '=', VAULT_CHECK).executeTakeFirst()
  if (known === undefined) return undefined
  try {
    vault.open(known.value, VAULT_CHECK)
    return true
  } catch {
    return false
  }
}

export const WRONG_SECRET =
  'SECRET_KEY (or the secret.key file in DATA_DIR) is not the one that this database was sealed with; put the old one back, or list it after the new one'

/**
 * Makes sure that what was sealed in this database can be opened, before anything is served. Answers whether this is
 * the database's first start.
 */
export async function checkVault({ metadata, vault }: Pick<Platform, 'metadata' | 'vault'>): Promise<boolean> {
  return metadata.transaction(async (tx) => {
    const fits = await vaultFits(tx, vault)
    if (fits === false) throw new ConfigError([WRONG_SECRET])
    if (fits === undefined) {
      await tx
        .insertInto('settings')
        .values({ key: VAULT_CHECK, value: vault.seal('millrace', VAULT_CHECK) })
        .execute()
    }
    return fits === undefined
  })
}
