import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../areas.ts'
import type { Config } from '../../config.ts'
import { lostDatabase } from '../../data-dir.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { type Finding, fail, type Installation, ok, reasonOf, shownUrl, warn } from '../../finding.ts'
import { metadataFile, openPlatform, vaultFits, WRONG_SECRET } from '../../platform.ts'
import { openToRead, type ReadableMetadata } from '../metadata.ts'

const SUBJECT = 'database'

/** Opens the database and checks that it answers. */
export async function openPatientMetadata(
  config: Config
): Promise<{ finding: Finding; metadata: ReadableMetadata | undefined }> {
  const place = config.databaseUrl === undefined ? metadataFile(config) : shownUrl(config.databaseUrl)
  if (config.databaseUrl === undefined && !existsSync(place)) {
    const finding =
      lostDatabase(config) === undefined
        ? ok(SUBJECT, `${place} does not exist yet; the first start makes it`)
        : fail(SUBJECT, `${place} is missing`)
    return { finding, metadata: undefined }
  }
  let metadata: ReadableMetadata | undefined
  try {
    metadata = await openToRead(config)
    await sql`select 1`.execute(metadata.db)
    return { finding: ok(SUBJECT, place), metadata }
  } catch (error) {
    await metadata?.close()
    const mend = config.databaseUrl === undefined ? 'restore it from a backup' : 'check DATABASE_URL and the server'
    return { finding: fail(SUBJECT, `${place} does not answer: ${reasonOf(error)}; ${mend}`), metadata: undefined }
  }
}

/** Whether a server has started on this database before. */
export async function isInUse({ db }: ReadableMetadata): Promise<boolean> {
  return (await appliedMigrations(db)).length > 0
}

export async function checkMigrations({ metadata }: Installation): Promise<Finding[]> {
  if (metadata === undefined) return []
  const known = await knownMigrations()
  const applied = await appliedMigrations(metadata.db)
  const pending = known.filter((id) => !applied.includes(id))
  const newer = applied.filter((id) => !known.includes(id))
  if (newer.length > 0) {
    return [fail('schema', `the database is from a newer version (${newer.join(', ')}): run that version, or restore`)]
  }
  if (applied.length === 0) return [ok('schema', 'empty; the first start sets it up')]
  if (pending.length > 0)
    return [warn('schema', `${pending.join(', ')} missing: the next start of this version adds it`)]
  return [ok('schema', `up to date, ${applied.length} migrations`)]
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'migrations')) return []
  const rows = await (db as unknown as Kysely<{ migrations: { id: string } }>)
    .selectFrom('migrations')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The migrations of this version, from an app that is built only to ask for them. */
async function knownMigrations(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-doctor-'))
  try {
    const platform = await openPlatform(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }))
    const ids = buildApp(platform).migrations.map(({ id }) => id)
    await platform.close()
    return ids
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function checkSecret({ metadata, vault }: Installation): Promise<Finding[]> {
  if (metadata === undefined || vault === undefined) return []
  const fits = await vaultFits(metadata.db, vault)
  if (fits === false) return [fail('vault', WRONG_SECRET)]
  return [ok('vault', fits ? 'opens what was sealed in the database' : 'nothing is sealed yet')]
}
