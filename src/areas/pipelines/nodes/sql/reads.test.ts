// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { SqlChunk } from '../../../../engines/sql/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Batch, SourceContext } from '../../contract/source.ts'
import { RowReads } from './reads.ts'

/** More than the first batch of a read has: each chunk is one batch, until it is known how wide rows are. */
const ROWS = 10_000
const PADDING = 'x'.repeat(2000)

/** Lines with the number of the chunk, so wide that a batch has no room for two. */
function chunkOf(number: number): SqlChunk {
  const numbers = Array.from({ length: ROWS }, () => number)
  return {
    columns: [
      { name: 'chunk', type: 'integer' },
      { name: 'text', type: 'text' }
    ],
    values: [numbers, numbers.map(() => PADDING)],
    rows: ROWS,
    text: Buffer.from(`${number}\t${PADDING}\n`.repeat(ROWS)),
    position: undefined
  }
}

describe('reads of a table as lines', () => {
  let instance: DuckDBInstance
  let database: DuckDBConnection
  let folder: string
  /** Chunks that were given, by all reads. */
  let given: number
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'row-reads-'))
    instance = await DuckDBInstance.create(':memory:')
    database = await instance.connect()
  })
  beforeEach(() => {
    given = 0
  })
  after(() => {
    database.closeSync()
    instance.closeSync()
    rmSync(folder, { recursive: true })
  })

  const { signal } = new AbortController()
  const next = (reads: RowReads) => reads.next({ waitMs: 1, signal })

  /** Reads of chunks from 0 on, each as `more` allows. */
  function open(more: (number: number) => boolean): RowReads {
    const context = { nodeId: 'in', config: {}, database, schema: 'memory', folder, isBulk: true, elapsed: () => 0 }
    return new RowReads({ ...context, log: () => {} } as unknown as SourceContext<object>, {
      async *read() {
        for (let number = 0; more(number); number++) {
          given += 1
          yield chunkOf(number)
        }
      },
      close: async () => {}
    })
  }

  async function numberIn(batch: Batch | 'idle' | 'ended'): Promise<unknown> {
    assert.ok(typeof batch === 'object')
    const reader = await database.runAndReadAll(
      `SELECT chunk, count(*)::INTEGER FROM (${batch.parts[0]?.sql}) GROUP BY 1`
    )
    await batch.release()
    const [[number, rows] = [], ...others] = reader.getRows()
    assert.deepEqual([rows, others], [ROWS, []])
    return number
  }

  it('come in their order, while the next are read', async () => {
    const reads = open((number) => number < 4)
    for (let number = 0; number < 4; number++) {
      const batch = await next(reads)
      assert.equal(given, Math.min(number + 2, 4), 'one more is read')
      assert.equal(await numberIn(batch), number)
    }
    assert.equal(await next(reads), 'ended')
    await reads.close()
  })

  it('fail after the batches that were whole, and go on behind them', async () => {
    let isAway = true
    const reads = open((number) => {
      if (number === 2 && isAway) throw new NodeFault('transient', 'away', 'The server is away')
      return number < 3
    })
    assert.equal(await numberIn(await next(reads)), 0)
    assert.equal(await numberIn(await next(reads)), 1)
    await assert.rejects(next(reads), { code: 'away' })
    isAway = false
    assert.equal(await numberIn(await next(reads)), 2)
    assert.equal(await next(reads), 'ended')
    await reads.close()
  })

  it('leave nothing behind, and read no more, once they are closed', async () => {
    const reads = open(() => true)
    assert.equal(await numberIn(await next(reads)), 0)
    await reads.close()
    const { length } = readdirSync(folder)
    const tables = await database.runAndReadAll('SELECT table_name FROM duckdb_tables()')
    assert.deepEqual([given, length, tables.getRows()], [2, 0, []])
  })

  it('tell that they got through also where there was nothing new', async () => {
    let reached = 0
    let isAway = true
    const context = { nodeId: 'in', config: { interval: '1h', cursor: 'id' }, database, schema: 'memory', folder }
    const given = { ...context, isBulk: true, elapsed: () => 1, log: () => {}, reached: () => void reached++ }
    const reads = new RowReads(given as unknown as SourceContext<object>, {
      // biome-ignore lint/correctness/useYield: there is nothing to give
      async *read() {
        if (isAway) throw new NodeFault('transient', 'unreachable', 'Nothing accepts connections there')
      },
      close: async () => {}
    })
    await assert.rejects(next(reads), /Nothing accepts/)
    assert.equal(reached, 0)
    isAway = false
    assert.equal(await next(reads), 'idle')
    assert.equal(reached, 1)
  })
})
