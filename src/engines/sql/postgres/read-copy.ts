import type { SqlChunk, SqlColumn } from '../index.ts'
import { CopiedChunk, piecesOf } from './copied-chunk.ts'
import { fromPostgres } from './errors.ts'
import { cursorIndex, type ReadWork, readByCursor } from './read-cursor.ts'
import { typeOf } from './types.ts'

/** Lines are made into values at one go, so that no more than about this many bytes keep others waiting. */
const BLOCK_BYTES = 1 << 20
const NEWLINE = 10

/** Databases that only speak PostgreSQL's protocol may have no COPY to the client: these say so before the first row. */
const HAS_NO_COPY: ReadonlySet<unknown> = new Set(['0A000', '42601'])

/**
 * The statement is under way for as long as rows are taken, however slowly, so that the server's limit of time can't hold for it; the
 * limit is for what comes between two blocks, and this side ends it. Newer servers see when this side is gone. A scan of a large table
 * begins where another is, unless that is turned off: whoever reads a table again to go on after so many rows would skip others.
 */
const WITHOUT_LIMIT = `SET LOCAL statement_timeout = 0;
SELECT set_config(name, CASE name WHEN 'synchronize_seqscans' THEN 'off' ELSE '10s' END, true)
FROM pg_settings WHERE name IN ('client_connection_check_interval', 'synchronize_seqscans')`

/** Reads rows by COPY, as lines of text. */
export async function* readByCopy(work: ReadWork): AsyncGenerator<SqlChunk> {
  const { connection, statement, cursorColumn, bounds, watch } = work
  const columns = await watch.run(() => columnsOf(work))
  const at = cursorIndex(columns, cursorColumn)
  const copy = connection.copy(`COPY (\n${statement}\n) TO STDOUT`, {
    rows: bounds.chunkRows,
    bytes: BLOCK_BYTES
  })
  let rest: Buffer = Buffer.alloc(0)
  for (let isFirst = true; ; isFirst = false) {
    let block: Buffer | undefined
    try {
      block = await watch.run(() => copy.next())
    } catch (error) {
      if (!isFirst || !HAS_NO_COPY.has((error as { code?: unknown }).code)) throw fromPostgres(error)
      await watch.run(async () => {
        await connection.rollback()
        await connection.begin('read', bounds.timeoutMs)
      })
      return yield* readByCursor(work)
    }
    if (block === undefined) return
    const whole = rest.length === 0 ? block : Buffer.concat([rest, block])
    const end = whole.lastIndexOf(NEWLINE) + 1
    rest = whole.subarray(end)
    if (end === 0) continue
    for (const [piece, rows] of piecesOf(whole.subarray(0, end), bounds.chunkRows)) {
      yield new CopiedChunk(columns, piece, rows, at)
    }
  }
}

/** COPY has no names and types in its answer. */
async function columnsOf({ connection, statement }: ReadWork): Promise<SqlColumn[]> {
  const { fields } = await connection.run(`SELECT * FROM (\n${statement}\n) AS q LIMIT 0`)
  await connection.runAll(WITHOUT_LIMIT)
  return fields.map(({ name, dataTypeID }) => ({ name, type: typeOf(dataTypeID) }))
}
