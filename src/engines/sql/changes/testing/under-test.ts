import assert from 'node:assert/strict'
import type { ChangesRead, SqlDatabase, SqlSettings, SqlValue } from '../../index.ts'
import { open } from '../../testing/under-test.ts'

/** A server whose changes are read. */
export interface ChangesServer {
  readonly settings: SqlSettings
  /**
   * Runs statements one after the other, each by itself, as somebody who may do everything; a text may hold several, divided by
   * semicolons. Answers how many rows were changed.
   */
  execute(...statements: string[]): Promise<number>
  stop(): Promise<void>
}

export interface ChangesUnderTest {
  readonly missing: string | undefined
  start(): Promise<ChangesServer>
  /** A column for every type that the server has, with some of its values as SQL. */
  readonly types: Readonly<Record<string, readonly string[]>>
}

export interface ChangesGiven {
  readonly under: ChangesUnderTest
  server(): ChangesServer
  database(): SqlDatabase
}

/** A row of a chunk by the names of its columns, and where its chunk ends. */
export interface Told {
  readonly row: Readonly<Record<string, SqlValue>>
  readonly position: string
}

/** Reads until the snapshot is over, or so many changes have come after it. */
export async function readChanges(
  database: SqlDatabase,
  request: Pick<ChangesRead, 'table' | 'reader'> & { readonly after?: string | null },
  wanted: 'snapshot' | number
): Promise<{ told: Told[]; positions: string[] }> {
  const told: Told[] = []
  const positions: string[] = []
  let [changes, empty] = [0, 0]
  const reading = database.changes?.({ after: null, signal: AbortSignal.timeout(30_000), ...request })
  for await (const { columns, values, rows, position } of reading ?? []) {
    positions.push(position)
    if (rows === 0) empty += 1
    for (let i = 0; i < rows; i++) {
      const row = Object.fromEntries(columns.map(({ name }, at) => [name, values[at]?.[i] ?? null]))
      told.push({ row, position })
      if (row._op !== 'snapshot') changes += 1
    }
    // An empty chunk comes before the snapshot, and one after it.
    if (wanted === 'snapshot' ? empty === 2 : changes >= wanted) return { told, positions }
  }
  throw new Error('Changes have ended')
}

/** The members of a row that a test is about. */
export function shown(told: readonly Told[], ...names: string[]): SqlValue[][] {
  return told.map(({ row }) => names.map((name) => row[name] as SqlValue))
}

/** Who may not read is told statements that are enough, once an administrator has run them. */
export async function checkGrants({ server }: ChangesGiven, reader: string): Promise<void> {
  const stranger = await open(server().settings, { user: reader, password: 'x' })
  const read = () => readChanges(stranger, { table: reader, reader }, 'snapshot')
  const error = await read().then(
    () => assert.fail('was allowed'),
    (thrown) => thrown
  )
  assert.equal(error.code, 'denied')
  const [, statements = ''] = /can run: (.*)$/.exec(error.message) ?? []
  await server().execute(statements)
  assert.deepEqual((await read()).told, [])
  await stranger.close()
}

let readers = 0

/** A name for a table and for its reader. */
export function freshReader(): string {
  readers += 1
  return `changes_${readers}`
}
