import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import { PageCache, type RowRange, SealedFile } from './index.ts'
import { DAY, FileMaker, type FileOptions, OPTIONS } from './testing/file-maker.ts'
import { type Row, rowsOf, type Shape, shapes } from './testing/points.ts'

const SHAPE: Shape = {
  tags: 30,
  pointsPerTag: 150,
  time: 'regular',
  value: 'rounded',
  text: 'none',
  quality: 'none',
  seed: 7
}

let maker: FileMaker
before(async () => {
  maker = await FileMaker.open()
})
after(() => maker.close())

async function opened(rows: Row[], options: FileOptions, use: (file: SealedFile) => void): Promise<void> {
  const file = SealedFile.open(await maker.write(rows, options), DAY, new PageCache(1_000_000))
  try {
    use(file)
  } finally {
    file.close()
  }
}

function assertRows(segment: Segment, rows: readonly Row[]): void {
  assert.equal(segment.day, DAY)
  assert.equal(segment.length, rows.length)
  const texts = rows.some((row) => row.text !== undefined)
  const bad = rows.some((row) => (row.quality ?? 0) !== 0)
  assert.equal(segment.exact !== undefined, texts)
  assert.equal(segment.quality !== undefined, bad)
  rows.forEach((row, i) => {
    const value = segment.values[i] as number
    // One comparison for each row: as many assertions would take most of the time. 0 and -0 count as equal, since
    // DuckDB's dictionaries have only one of them.
    const same =
      segment.ns[i] === row.ns &&
      (row.value === undefined ? Number.isNaN(value) : value === row.value) &&
      (!bad || segment.quality?.[i] === (row.quality ?? 0)) &&
      (!texts || segment.exact?.[i] === row.text)
    if (!same) assert.fail(`row ${i}: ${JSON.stringify(row)} is ${segment.ns[i]} ${value}`)
  })
}

function slice(rows: readonly Row[], { row, count }: RowRange): readonly Row[] {
  return rows.slice(row, row + count)
}

function assertFile(file: SealedFile, rows: readonly Row[]): void {
  const { ids, rows: starts } = file.tags()
  assert.deepEqual([...ids], [...new Set(rows.map((row) => row.id))])
  assert.equal(starts.at(-1), rows.length)
  ids.forEach((id, i) => {
    const range = file.rangeOf(id)
    assert.ok(range)
    assert.deepEqual(range, { row: starts[i], count: (starts[i + 1] as number) - (starts[i] as number) })
    assert.ok(slice(rows, range).every((row) => row.id === id))
    assertRows(file.read(range), slice(rows, range))
  })
}

const optionses: fc.Arbitrary<FileOptions> = fc.record({
  version: fc.constantFrom('v1', 'v2'),
  rowGroupRows: fc.constantFrom(2048, 4096),
  dictionaryShare: fc.constantFrom(0.01, 0.5, 1),
  codec: fc.constantFrom('zstd', 'zstd', 'uncompressed')
})

describe('a sealed file', () => {
  it('gives every point back as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, optionses, async (shape, options) => {
        const rows = rowsOf(shape)
        await opened(rows, options, (file) => assertFile(file, rows))
      }),
      { numRuns: 40 }
    )
  })

  it('gives any part of a tag, between any times, in any order', async () => {
    const part = fc.tuple(fc.nat(999), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(200), fc.nat(200))
    await fc.assert(
      fc.asyncProperty(
        shapes,
        optionses,
        fc.array(part, { minLength: 20, maxLength: 20 }),
        async (shape, options, parts) => {
          const rows = rowsOf(shape)
          await opened(rows, options, (file) => {
            const { ids } = file.tags()
            for (const [tag, share, skip, length] of parts) {
              const range = file.rangeOf(ids[tag % ids.length] as number) as RowRange
              const row = range.row + (skip % range.count)
              const count = Math.min(length, range.row + range.count - row)
              assertRows(file.read({ row, count }), slice(rows, { row, count }))
              const from = slice(rows, range)[skip % range.count]?.ns as number
              const to = from + Math.floor((NS_PER_DAY - from) * share)
              const expected = slice(rows, range).filter(({ ns }) => ns >= from && ns < to)
              assertRows(file.readBetween(range, from, to), expected)
            }
          })
        }
      ),
      { numRuns: 20 }
    )
  })

  it('finds times in a tag of very many points across row groups', async () => {
    for (const time of ['regular', 'jittered'] as const) {
      const rows = rowsOf({ ...SHAPE, tags: 2, pointsPerTag: 50_000, time })
      await opened(rows, { ...OPTIONS, rowGroupRows: 20_480 }, (file) => {
        for (const place of [0, 1, 4095, 4096, 8192, 33_000, 49_998]) {
          const range = file.rangeOf(rows[50_000]?.id as number) as RowRange
          const within = rows.slice(50_000 + place, 50_000 + place + 900)
          const from = within[0]?.ns as number
          assertRows(file.readBetween(range, from, (within.at(-1)?.ns as number) + 1), within)
          assertRows(file.readBetween(range, from, from), [])
          assertRows(file.readBetween(range, from + 1, from + 2), [])
        }
      })
    }
  })

  it('reads into given arrays', async () => {
    const rows = rowsOf(SHAPE)
    await opened(rows, OPTIONS, (file) => {
      const into = { ns: new Float64Array(200), values: new Float64Array(200) }
      const segment = file.read({ row: 150, count: 150 }, into)
      assertRows(segment, rows.slice(150, 300))
      assert.equal(segment.ns.buffer, into.ns.buffer)
      assert.equal(segment.values.buffer, into.values.buffer)
    })
  })

  it('holds thousands of tags and a page for each hundred megabytes of text', async () => {
    const many = rowsOf({ ...SHAPE, tags: 3000, pointsPerTag: 66, quality: 'some', text: 'by tag', value: 'by tag' })
    await opened(many, { ...OPTIONS, rowGroupRows: 4096 }, (file) => {
      assertFile(file, many)
      assert.equal(file.rangeOf(-1), undefined)
      assert.equal(file.rangeOf(4), undefined)
    })
    const path = await maker.copy(`
      select 't' as tag, 1::integer as id, make_timestamp_ns(${DAY * 86_400}::bigint * 1000000000 + i) as time,
        null::double as value, i::varchar || repeat('x', 65000) as text from range(1800) rows(i)`)
    const file = SealedFile.open(path, DAY, new PageCache(1))
    const { exact, values } = file.read({ row: 1500, count: 300 })
    file.close()
    assert.deepEqual(
      exact?.map((text) => String(text).replace(/x+$/, '')),
      Array.from({ length: 300 }, (_, i) => `${1500 + i}`)
    )
    assert.ok(values.every(Number.isNaN))
  })

  it('has no rows where DuckDB wrote none', async () => {
    await opened([], OPTIONS, (file) => {
      assert.equal(file.rowCount, 0)
      assert.equal(file.tags().ids.length, 0)
      assert.equal(file.rangeOf(1), undefined)
    })
  })
})

it('reads each encoding that DuckDB uses for these columns', async () => {
  const seen = new Set<string>()
  const few: Shape = { ...SHAPE, text: 'same', quality: 'mixed' }
  const many: Shape = { ...few, tags: 1000, pointsPerTag: 1, time: 'jittered', value: 'random', text: 'each' }
  for (const version of ['v1', 'v2'] as const) {
    for (const [shape, dictionaryShare] of [
      [few, 0.5],
      [many, 0.001]
    ] as const) {
      const rows = rowsOf(shape)
      const path = await maker.write(rows, { ...OPTIONS, version, dictionaryShare })
      for (const encoding of await maker.encodings(path)) if (!encoding.startsWith('tag ')) seen.add(encoding)
      const file = SealedFile.open(path, DAY, new PageCache(1_000_000))
      assertFile(file, rows)
      file.close()
    }
  }
  const numbers = ['PLAIN', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY', 'DELTA_BINARY_PACKED']
  const expected = {
    id: numbers,
    time: numbers,
    value: ['PLAIN', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY', 'BYTE_STREAM_SPLIT'],
    text: ['PLAIN', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY', 'DELTA_LENGTH_BYTE_ARRAY'],
    quality: numbers
  }
  const all = Object.entries(expected).flatMap(([name, encodings]) =>
    encodings.map((encoding) => `${name} ${encoding}`)
  )
  assert.deepEqual([...seen].sort(), all.sort())
})
