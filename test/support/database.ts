import { randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, linkSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Metadata, openMetadata } from '../../src/engines/metadata/index.ts'

/** Which database this run of the suite uses. */
export const postgresUrl = process.env.TEST_POSTGRES_URL

export interface TestDatabase {
  /** The value for `DATABASE_URL`; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
  /** A folder for this test alone. */
  readonly folder: string
  readonly file: string
  open(): Promise<Metadata>
  /** Removes what was made; everything opened has to be closed first. */
  drop(): Promise<void>
}

/** A fresh, empty database of the kind under test. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create('')
}

let migrated: Promise<{ name: string; file: string }> | undefined

/** A new database with tables: a copy of one that `migrate` has prepared once in this process. */
export async function createMigratedDatabase(migrate: (empty: TestDatabase) => Promise<void>): Promise<TestDatabase> {
  migrated ??= makeTemplate(migrate)
  const template = await migrated
  const database = await create(`template ${template.name}`)
  if (postgresUrl === undefined) {
    copyFileSync(template.file, database.file)
    chmodSync(database.file, 0o600)
    shareReserve(template.file, database.file)
  }
  return database
}

/** Its reserve is taken away and never written to while it is whole: one file for all takes less time than one for each. */
function shareReserve(from: string, to: string): void {
  try {
    linkSync(`${from}-reserve`, `${to}-reserve`)
  } catch {
    // On another disk than the first; it makes one itself.
  }
}

async function makeTemplate(migrate: (empty: TestDatabase) => Promise<void>): Promise<{ name: string; file: string }> {
  const database = await createTestDatabase()
  await migrate(database)
  process.once('exit', () => rmSync(database.folder, { recursive: true, force: true }))
  return { name: new URL(database.databaseUrl ?? 'file:///none').pathname.slice(1), file: database.file }
}

async function create(template: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'))
  const file = join(folder, 'metadata.db')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copied as files, which takes half as long as by way of the log.
  if (postgresUrl !== undefined) await administer(postgresUrl, `create database ${name} ${template} strategy file_copy`)
  const databaseUrl = postgresUrl === undefined ? undefined : withDatabase(postgresUrl, name)
  return {
    databaseUrl,
    folder,
    file,
    open: () => openMetadata({ databaseUrl, file }),
    async drop() {
      if (postgresUrl !== undefined) await administer(postgresUrl, `drop database if exists ${name} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
