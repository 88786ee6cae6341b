import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../../test/support/any-character.ts'
import { HAS_EXACT, PointBatch } from '../../parse/points.ts'
import { Log, type LostPart, replayLog } from './log.ts'
import type { LogRecord } from './log-records.ts'
import { describeLost, lostIn } from './lost.ts'

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
      exact: fc.option(fc.oneof(fc.string({ unit: ANY_CHARACTER }), fc.bigInt()), { nil: undefined })
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
        name: fc.string({ unit: ANY_CHARACTER }).map((text) => text.toWellFormed()),
        type: fc.constantFrom('float' as const, 'string' as const),
        labels: fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string(), { noNullPrototype: true })
      })
    )
  })
)

/** The contents of a record, without the spare room in its columns. */
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

/** The sound records of a log, the end of the last one, and the lost parts. */
function read(log: Buffer): { records: unknown[]; end: number; lost: readonly LostPart[] } {
  const records: unknown[] = []
  return { ...replayLog(log, (record) => records.push(said(record))), records }
}

const manyRecords = fc.array(records, { minLength: 1, maxLength: 6 })
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const flips = fc.array(fc.record({ where: share, change: fc.integer({ min: 1, max: 255 }) }), {
  minLength: 1,
  maxLength: 3
})

/** Changes bytes; answers their positions. */
function flip(log: Buffer, some: readonly { readonly where: number; readonly change: number }[]): number[] {
  return some.map(({ where, change }) => {
    const at = Math.floor(where * log.length)
    log[at] = (log[at] as number) ^ change
    return at
  })
}

test('what was appended is read back, up to the last whole record of a torn log, and nothing counts as lost', async () => {
  await fc.assert(
    fc.asyncProperty(manyRecords, share, async (some, cut) => {
      const path = join(folder, 'log-1')
      const ends = await written(path, some)
      const log = readFileSync(path).subarray(0, Math.floor((ends.at(-1) as number) * cut))
      const whole = ends.filter((end) => end <= log.length).length
      const expected = { records: some.slice(0, whole).map(said), end: whole === 0 ? 0 : ends[whole - 1], lost: [] }
      assert.deepEqual(read(log), expected)
    }),
    { numRuns: 60, endOnFailure: true }
  )
})

test('bytes that were changed lose the records that they are in, no other, and the loss is told', async () => {
  await fc.assert(
    fc.asyncProperty(manyRecords, flips, async (some, changes) => {
      const path = join(folder, 'log-2')
      const ends = await written(path, some)
      const log = readFileSync(path)
      const whole = Buffer.from(log)
      const starts = [0, ...ends]
      const changed = flip(log, changes).filter((at) => log[at] !== whole[at])
      const isHit = (_: unknown, i: number) =>
        changed.some((at) => at >= (starts[i] as number) && at < (ends[i] as number))
      const found = read(log)
      assert.deepEqual(found.records, some.filter((record, i) => !isHit(record, i)).map(said))
      const lost = found.lost.flatMap(({ offset, sizeBytes }) => [offset, offset + sizeBytes])
      const damaged = some.flatMap((record, i) => (isHit(record, i) ? [starts[i], ends[i]] : []))
      assert.deepEqual(bounds(lost), bounds(damaged as number[]), 'exactly these bytes')
    }),
    { numRuns: 300, endOnFailure: true }
  )
})

/** Pairs of a beginning and an end, with adjacent pairs joined. */
function bounds(pairs: readonly number[]): number[] {
  return pairs.filter((place, i) => (i % 2 === 0 ? place !== pairs[i - 1] : place !== pairs[i + 1]))
}

test('bytes that were changed in a torn log never make a record of what is none', async () => {
  await fc.assert(
    fc.asyncProperty(manyRecords, share, flips, async (some, cut, changes) => {
      const path = join(folder, 'log-4')
      await written(path, some)
      const whole = readFileSync(path)
      const log = Buffer.from(whole.subarray(0, Math.floor(whole.length * cut)))
      if (log.length === 0) return
      flip(log, changes)
      const known = some.map(said)
      let from = 0
      for (const record of read(log).records) {
        const at = known.findIndex((each, i) => i >= from && isDeepStrictEqual(each, record))
        assert.ok(at >= 0, 'in their order, and none but these')
        from = at + 1
      }
    }),
    { numRuns: 100, endOnFailure: true }
  )
})

test('what is lost of points is counted, with their times, where only their content was changed', async () => {
  const batch = new PointBatch()
  batch.reserve(3)
  batch.length = 3
  batch.days.set([20_000, 19_999, 20_001])
  batch.ns.set([0, 5_000_000, 7_000_000])
  const path = join(folder, 'log-5')
  const ends = await written(path, [
    { kind: 'points', batch },
    { kind: 'drop', source: 'after' }
  ])
  const log = readFileSync(path)
  log[100] = (log[100] as number) ^ 1
  assert.deepEqual(lostIn(read(log).lost), {
    sizeBytes: ends[0],
    parts: 1,
    points: 3,
    isAllKnown: true,
    from: '2024-10-03T00:00:00.005Z',
    to: '2024-10-05T00:00:00.007Z'
  })
  log[20] = (log[20] as number) ^ 1
  const { records, lost } = read(log)
  assert.equal(records.length, 1)
  assert.match(describeLost('log-5', lost), /^log-5 is damaged in \d+ bytes with 0 points or more$/)
})

test('a log of an older version is read, behind what is damaged in it too, and goes on in the new form', async () => {
  const old = (source: string) => {
    const content = Buffer.from(JSON.stringify({ source }))
    const header = Buffer.from('GLRM\u0002\0\0\0\0\0\0\0\0\0\0\0')
    header.writeUInt32LE(content.length, 8)
    header.writeUInt32LE(crc32(content, 2), 12)
    return Buffer.concat([header, content])
  }
  const path = join(folder, 'log-6')
  const bytes = Buffer.concat(['a', 'b', 'c'].map(old))
  bytes[old('a').length + 20] = 1
  writeFileSync(path, bytes)
  const log = new Log(path, bytes.length)
  log.append([{ kind: 'drop', source: 'd' }])
  await log.close()
  const { records, lost } = read(readFileSync(path))
  assert.deepEqual(
    records.map((record) => (record as { source: string }).source),
    ['a', 'c', 'd']
  )
  assert.deepEqual(
    lost.map(({ offset, sizeBytes }) => [offset, sizeBytes]),
    [[old('a').length, old('b').length]]
  )
  assert.deepEqual(read(bytes.subarray(0, bytes.length - 3)).lost.length, 1, 'its torn end is no loss')
})

test('a log goes on after its last whole record', async () => {
  const path = join(folder, 'log-3')
  await written(path, [{ kind: 'drop', source: 'first' }])
  const { length } = readFileSync(path)
  appendFileSync(path, Buffer.from([1, 2, 3]))
  assert.equal(read(readFileSync(path)).end, length)
  const log = new Log(path, length)
  log.append([{ kind: 'drop', source: 'second' }])
  await log.synced()
  await log.close()
  assert.deepEqual(
    read(readFileSync(path)).records.map((record) => (record as { source: string }).source),
    ['first', 'second']
  )
})

test('zeros at the end, which a file system may leave after a power failure, are no loss', async () => {
  const path = join(folder, 'log-7')
  await written(path, [{ kind: 'drop', source: 'first' }])
  appendFileSync(path, Buffer.alloc(5000))
  assert.deepEqual(read(readFileSync(path)).lost, [])
})
