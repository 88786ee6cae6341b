import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { NodeFault } from '../../contract/context.ts'
import type { Wrote } from '../../contract/sink.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { DeliverySink } from './delivery.ts'

let workshop: Workshop
let database: DuckDBConnection
before(async () => {
  workshop = await openWorkshop()
  database = await workshop.instance.connect()
})
after(() => workshop.close())

const { signal } = new AbortController()

/** Again and again, as a run does it. */
async function writeRetried(sink: DeliverySink<number>, rows: number, epoch: number): Promise<Wrote> {
  const sql = `SELECT range AS n FROM range(${rows})`
  for (;;) {
    try {
      return await sink.write({ sql, numbered: sql, columns: [], rows: undefined }, { epoch, signal })
    } catch (error) {
      assert.equal((error as NodeFault).kind, 'transient')
    }
  }
}

test('whatever fails and however often: all arrive once and in order, but those that nobody wants', async () => {
  const given = fc.record({
    rows: fc.integer({ min: 0, max: 5000 }),
    maxRows: fc.integer({ min: 1, max: 1500 }),
    refused: fc.uniqueArray(fc.nat(5000), { maxLength: 4 }),
    unsendable: fc.uniqueArray(fc.nat(5000), { maxLength: 3 }),
    failing: fc.uniqueArray(fc.nat(30), { maxLength: 10 })
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, maxRows, refused, unsendable, failing }) => {
      const arrived: number[] = []
      const byNumber = new Map<string, string>()
      let calls = 0
      const sink = new DeliverySink<number>(
        { database, schema: 'memory', nodeId: 'out' },
        {
          maxRows,
          maxBytes: 1 << 20,
          select: ({ sql }) => `SELECT n, n::VARCHAR AS record FROM (${sql})`,
          itemOf: ([n]) =>
            unsendable.includes(Number(n)) ? new NodeFault('records', 'unsendable', 'It has no form') : Number(n),
          bytesOf: () => 8,
          async send(items, { epoch, number }) {
            assert.equal(byNumber.get(`${epoch}-${number}`) ?? String(items), String(items))
            byNumber.set(`${epoch}-${number}`, String(items))
            calls += 1
            if (failing.includes(calls)) throw new NodeFault('transient', 'away', 'It is away')
            if (items.some((n) => refused.includes(n))) throw new NodeFault('records', 'refused', 'It is not wanted')
            arrived.push(...items)
          },
          recordOf: String,
          close: async () => {}
        }
      )
      const all = Array.from({ length: rows }, (_, n) => n)
      const bad = all.filter((n) => refused.includes(n) || unsendable.includes(n))
      for (const epoch of [1, 2]) {
        arrived.length = 0
        const wrote = await writeRetried(sink, rows, epoch)
        assert.deepEqual(
          arrived,
          all.filter((n) => !bad.includes(n))
        )
        assert.equal(wrote.taken, rows)
        assert.equal(wrote.written, rows - bad.length)
        assert.deepEqual(
          wrote.rejected.map(({ record }) => Number(record)).toSorted((a, b) => a - b),
          bad
        )
      }
    }),
    { numRuns: 40 }
  )
})
