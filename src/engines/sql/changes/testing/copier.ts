// A process that copies a table into a file by its changes, to be killed at any moment. It prints a line when it begins to apply
// a chunk, one when that is committed, and ends when the log gives it the row whose key is `last`.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { createOutbound } from '../../../outbound/index.ts'
import { type ChangesChunk, openSql, SqlError, type SqlSettings } from '../../index.ts'

interface Task {
  readonly settings: SqlSettings
  readonly reader: string
  readonly file: string
  readonly last: number
}

const { settings, reader, file, last } = JSON.parse(process.argv[2] ?? '') as Task
const copy = new DatabaseSync(file)
copy.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = off;
  CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, row TEXT);
  CREATE TABLE IF NOT EXISTS newest (key TEXT PRIMARY KEY, seq INTEGER);
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY, position TEXT, record TEXT)`)
const put = copy.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?)')
const drop = copy.prepare('DELETE FROM rows WHERE key = ?')
const newestOf = copy.prepare('SELECT seq FROM newest WHERE key = ?')
const setNewest = copy.prepare('INSERT OR REPLACE INTO newest VALUES (?, ?)')
const setPlace = copy.prepare('INSERT OR REPLACE INTO place VALUES (1, ?, ?)')
const placeOf = copy.prepare('SELECT position, record FROM place')

const place = placeOf.get() as { position: string; record: string } | undefined
let record = place?.record ?? ''
let position = place?.position ?? null

const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
const database = await openSql(settings, { outbound })
for (;;) {
  try {
    if (await copied()) process.exit(0)
  } catch (error) {
    // The server may not have noticed yet that the one before was killed.
    if (!(error instanceof SqlError && error.isTransient)) throw error
    await delay(20)
  }
}

async function copied(): Promise<boolean> {
  const changes = database.changes?.({ table: reader, reader, after: position })
  if (changes === undefined) throw new Error('no changes')
  for await (const chunk of changes) {
    process.stdout.write('begin\n')
    copy.exec('BEGIN')
    const isLast = applied(chunk)
    position = chunk.position
    setPlace.run(position, record)
    copy.exec('COMMIT')
    process.stdout.write('commit\n')
    changes.confirm(position)
    if (isLast) return true
  }
  return false
}

function applied({ columns, values, rows, keys }: ChangesChunk): boolean {
  let isLast = false
  for (let i = 0; i < rows; i++) {
    const row = Object.fromEntries(columns.map(({ name }, at) => [name, values[at]?.[i] ?? null]))
    const { _op: op, _position: at, _at, _before, _unchanged, ...own } = row
    const key = JSON.stringify(keys.map((name) => own[name]))
    if (op === 'delete') drop.run(key)
    else put.run(key, JSON.stringify(own))
    // Rows that were there say nothing about how far the log was read, which is still to come.
    if (op === 'snapshot') continue
    checkOrder(key, String(at), op === 'delete' ? null : Number(own.seq))
    if (own.a === last) isLast = true
  }
  return isLast
}

/** Each statement writes a greater number than the one before: of a key, and of the log, none may come late or again. */
function checkOrder(key: string, at: string, seq: number | null): void {
  if (at <= record) throw new Error(`${at} came after ${record}`)
  record = at
  if (seq === null) return
  const before = (newestOf.get(key) as { seq: number } | undefined)?.seq ?? -1
  if (seq <= before) throw new Error(`${key}: ${seq} came after ${before}`)
  setNewest.run(key, seq)
}
