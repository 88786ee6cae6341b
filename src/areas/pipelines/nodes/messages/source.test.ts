import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Broker, Consumer, Message } from '../../../../engines/brokers/index.ts'
import type { Batch, SourceContext } from '../../contract/source.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import type { MessageSourceConfig } from './config.ts'
import { MessagesSource } from './source.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const message = (partition: number, offset: number, timeMs = offset): Message => ({
  topic: 't',
  key: undefined,
  payload: Buffer.from(JSON.stringify({ partition, offset })),
  timeMs,
  position: { of: `t/${partition}`, at: String(offset + 1) }
})

/** Gives what a script says, whatever happens; no real broker can be made to do what these do. */
async function openScripted(script: (readonly Message[])[], acknowledged: Message[] = []) {
  const left = [...script]
  const consumer: Consumer = {
    take: async () => [...(left.shift() ?? [])],
    acknowledge: async (last) => void acknowledged.push(last),
    state: { connected: true, lastError: undefined, waiting: 0 },
    close: async () => {}
  }
  const database = await workshop.instance.connect()
  const context = { config: {}, database, schema: 'memory', nodeId: 'in', expectedColumns: [], now: () => 0, log() {} }
  const broker = { close: async () => {} } as Broker
  return {
    database,
    source: new MessagesSource(context as unknown as SourceContext<MessageSourceConfig>, broker, consumer)
  }
}

const request = { waitMs: 1, signal: new AbortController().signal }

const rowsOf = ({ parts }: Batch) => parts.reduce((sum, { rows }) => sum + rows, 0)

async function readAll(source: MessagesSource, onBatch: (batch: Batch) => Promise<void>): Promise<void> {
  for (let next = await source.next(request); next !== 'idle'; next = await source.next(request)) {
    await onBatch(next)
    await next.release()
  }
}

test('what a broker sends again within a run is a record once', async () => {
  // Each partition goes on from any place that it was at before, as after partitions were shared out anew.
  const jump = fc.record({ partition: fc.integer({ min: 0, max: 2 }), back: fc.nat(5), count: fc.nat(6) })
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { maxLength: 12 }), async (jumps) => {
      const ends = [0, 0, 0]
      const script = jumps.map(({ partition, back, count }) => {
        const from = Math.max(0, (ends[partition] as number) - back)
        ends[partition] = Math.max(ends[partition] as number, from + count)
        return Array.from({ length: count }, (_, i) => message(partition, from + i))
      })
      const { source, database } = await openScripted(script.filter((part) => part.length > 0))
      const seen: string[] = []
      let position: unknown
      await readAll(source, async (batch) => {
        const [part] = batch.parts
        const rows = part === undefined ? [] : (await database.runAndReadAll(part.sql)).getRowObjects()
        seen.push(...rows.map((row) => `${row.partition}/${row.offset}`))
        position = batch.position
      })
      const wanted = ends.flatMap((end, partition) => Array.from({ length: end }, (_, i) => `${partition}/${i}`))
      assert.deepEqual(seen.toSorted(), wanted.toSorted())
      const positions = ends.flatMap((end, partition) => (end === 0 ? [] : [[`t/${partition}`, String(end)]]))
      assert.deepEqual((position as { positions?: object } | undefined)?.positions ?? {}, Object.fromEntries(positions))
      database.closeSync()
    }),
    { numRuns: 30 }
  )
})

test('a topic that was made again is read from its beginning', async () => {
  const script = [[message(0, 7, 100), message(0, 8, 101)], [message(0, 0, 102)]]
  const { source } = await openScripted(script)
  let rows = 0
  await readAll(source, async (batch) => {
    rows += rowsOf(batch)
  })
  assert.equal(rows, 3)
})

test('a batch has 100,000 records at most, and a commit acknowledges the last message that is in it', async () => {
  const many = Array.from({ length: 30 }, (_, i) => ({
    ...message(0, i),
    payload: Buffer.from(`[${Array.from({ length: 10_000 }, () => '{"a":1}').join()}]`)
  }))
  const acknowledged: Message[] = []
  const { source } = await openScripted([many], acknowledged)
  const sizes: number[] = []
  await readAll(source, async (batch) => {
    sizes.push(rowsOf(batch))
    assert.equal(source.isAwaited, true)
    await source.committed(batch.position)
    assert.equal(source.isAwaited, false)
  })
  assert.deepEqual(sizes, [100_000, 100_000, 100_000])
  assert.deepEqual(
    acknowledged.map(({ position }) => position?.at),
    ['10', '20', '30']
  )
})
