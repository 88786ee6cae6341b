import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { HAS_EXACT, PointBatch } from '../../parse/points.ts'
import { Log, replayLog } from './log.ts'
import type { LogRecord } from './log-records.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-log-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const batches = fc
  .array(
    fc.record({
      tag: fc.nat(1e6),
      day: fc.integer({ min: -106_751, max: 106_751 }),
      ns: fc.nat(),
      value: fc.double(),
      exact: fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.bigInt()), { nil: undefined })
    }),
    { minLength: 1, maxLength: 40 }
  )
  .map((points) => {
    const batch = new PointBatch()
    batch.reserve(points.length)
    batch.length = points.length
    points.forEach(({ tag, day, ns, value, exact }, row) => {
      batch.tags[row] = tag
      batch.days[row] = day
      batch.ns[row] = ns
      batch.values[row] = value
      batch.flags[row] = exact === undefined ? 1 : HAS_EXACT
      if (exact !== undefined) batch.exact.set(row, exact)
    })
    return { kind: 'points', batch } as LogRecord
  })

const records: fc.Arbitrary<LogRecord> = fc.oneof(
  batches,
  fc.record({ kind: fc.constant('drop' as const), source: fc.string() }),
  fc.record({ kind: fc.constant('retire' as const), id: fc.nat(), source: fc.string() }),
  fc.record({
    kind: fc.constant('tags' as const),
    tags: fc.array(
      fc.record({
        id: fc.nat(),
        source: fc.string(),
        name: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
        type: fc.constantFrom('float' as const, 'string' as const),
        labels: fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string(), { noNullPrototype: true })
      })
    )
  })
)

/** What a record says, whatever room its columns have left. */
function said(record: LogRecord): unknown {
  if (record.kind !== 'points') return JSON.parse(JSON.stringify(record))
  const { length, tags, days, ns, values, flags, exact } = record.batch
  return [tags, days, ns, values, flags].map((column) => [...column.subarray(0, length)]).concat([[...exact] as never])
}

async function written(path: string, some: readonly LogRecord[]): Promise<number[]> {
  rmSync(path, { force: true })
  const log = new Log(path, 0)
  const ends = some.map((record) => {
    log.append([record])
    return log.sizeBytes
  })
  await log.synced()
  await log.close()
  return ends
}

test('what was appended is read back, up to the last whole record of a torn log', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(records, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (some, cut) => {
        const path = join(folder, 'log-1')
        const ends = await written(path, some)
        const size = Math.floor((ends.at(-1) as number) * cut)
        truncateSync(path, size)
        const whole = ends.filter((end) => end <= size).length
        const read: LogRecord[] = []
        assert.equal(
          replayLog(path, (record) => read.push(record)),
          whole === 0 ? 0 : ends[whole - 1]
        )
        assert.deepEqual(read.map(said), some.slice(0, whole).map(said))
      }
    ),
    { numRuns: 60, endOnFailure: true }
  )
})

test('a record that was changed ends the log before it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(records, { minLength: 2, maxLength: 4 }), fc.nat(), async (some, where) => {
      const path = join(folder, 'log-2')
      const ends = await written(path, some)
      const bytes = readFileSync(path)
      const from = ends[0] as number
      const at = from + (where % ((ends[1] as number) - from))
      bytes[at] = (bytes[at] as number) ^ 0x40
      writeFileSync(path, bytes)
      const read: LogRecord[] = []
      assert.equal(
        replayLog(path, (record) => read.push(record)),
        from
      )
      assert.deepEqual(read.map(said), some.slice(0, 1).map(said))
    }),
    { numRuns: 60, endOnFailure: true }
  )
})

test('a log goes on after its last whole record', async () => {
  const path = join(folder, 'log-3')
  await written(path, [{ kind: 'drop', source: 'first' }])
  appendFileSync(path, Buffer.from([1, 2, 3]))
  const log = new Log(
    path,
    replayLog(path, () => {})
  )
  log.append([{ kind: 'drop', source: 'second' }])
  await log.synced()
  await log.close()
  const read: LogRecord[] = []
  replayLog(path, (record) => read.push(record))
  assert.deepEqual(
    read.map((record) => record.kind === 'drop' && record.source),
    ['first', 'second']
  )
})
