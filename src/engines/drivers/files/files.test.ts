import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { nameOf } from './formats/name.ts'
import { parsePattern } from './pattern.ts'
import { compareFiles, parsePosition, positionText } from './position.ts'
import { type MemoryFile, memoryPlace, openFiles, recordsOf, streamOf } from './testing/memory-place.ts'
import { type FolderEntry, walk } from './walk.ts'

const csv = (path: string, modifiedMs: number, rows: number): MemoryFile => ({
  path,
  modifiedMs,
  content: `id\n${Array.from({ length: rows }, (_, i) => `${path} ${i}`).join('\n')}`
})
const file = fc.record({
  path: fc.string({ unit: fc.constantFrom('a', 'b', ':', ' ', '/', 'ü', '\n'), minLength: 1 }),
  modifiedMs: fc.integer({ min: 0, max: 4e12 })
})

describe('files as streams', () => {
  it('keeps a position in a text, and files in one order', () => {
    fc.assert(
      fc.property(file, fc.option(fc.nat(), { nil: undefined }), (at, row) => {
        assert.deepEqual(parsePosition(positionText({ ...at, row })), { ...at, row })
      })
    )
    fc.assert(
      fc.property(file, file, (a, b) => {
        assert.equal(Math.sign(compareFiles(a, b)), -Math.sign(compareFiles(b, a)) + 0)
      })
    )
    for (const text of ['', '7', 'yesterday a:1', '2026-01-01T00:00:00.000Z a', '2026-01-01T00:00:00.000Z :1'])
      assert.throws(() => parsePosition(text), { code: 'bad_request' })
  })

  it('reads each record once, in whatever steps, whether somebody else goes on or the same', async () => {
    const files = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 3 }), fc.nat(7)),
      {
        selector: ([name]) => name
      }
    )
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.array(fc.integer({ min: 1, max: 9 })),
        fc.boolean(),
        async (given, limits, isFresh) => {
          const place = memoryPlace(given.map(([name, at, rows]) => csv(`${name}.csv`, at * 1000, rows)))
          const { records: all } = await recordsOf(openFiles(place))
          const seen: unknown[] = []
          let [after, source]: [string | null, ReturnType<typeof openFiles>] = [null, openFiles(place)]
          for (const limit of [...limits, undefined]) {
            if (isFresh) source = openFiles(place)
            const { records, position } = await recordsOf(source, { after, ...(limit && { limit }) })
            seen.push(...records)
            after = position
          }
          assert.deepEqual(seen, all)
        }
      )
    )
  })

  it('goes on within a file without reading it again, and reads new and changed files next time', async () => {
    const files = [csv('a.csv', 1000, 30), csv('b.csv', 2000, 10)]
    const place = memoryPlace(files)
    const source = openFiles(place)
    let after: string | null = null
    let count = 0
    for (let i = 0; i < 4; i++) {
      const { records, position } = await recordsOf(source, { after, limit: 10 })
      count += records.length
      after = position
    }
    assert.equal(count, 40)
    assert.ok(place.opened <= 6, String(place.opened)) // two for the columns, two for the records, and a look at the end
    assert.equal((await recordsOf(openFiles(place), { after })).records.length, 0)
    files.push(csv('c.csv', 2000, 2))
    files[0] = csv('a.csv', 3000, 31)
    assert.equal((await recordsOf(openFiles(place), { after })).records.length, 33)
  })

  it('leaves files that were changed just now for the next time, by position', async () => {
    const clock = new ManualClock('2026-01-01T00:00:10.000Z')
    const place = memoryPlace([csv('a.csv', clock.now() - 1000, 3)])
    const source = openFiles(place, {}, clock)
    assert.equal((await recordsOf(source, { after: null })).records.length, 0)
    assert.equal((await recordsOf(source)).records.length, 3)
    clock.advance(1000)
    assert.equal((await recordsOf(source, { after: null })).records.length, 3)
  })

  it('takes columns of several files, by name, and unpacks', async () => {
    const place = memoryPlace([
      { path: 'old.csv', modifiedMs: 1000, content: 'a,b\n1,2\n' },
      { path: 'new.csv.gz', modifiedMs: 2000, content: gzipSync('b,c\n3,4\n') }
    ])
    const source = openFiles(place)
    const { columns } = await streamOf(source)
    assert.deepEqual(
      columns.slice(0, 3).map(({ name }) => name),
      ['b', 'c', 'a']
    )
    const { records } = await recordsOf(source)
    assert.deepEqual(
      records.map(({ a, b, c }) => [a, b, c]),
      [
        ['1', '2', null],
        [null, '3', '4']
      ]
    )
  })

  it('gives one odd record for a file that can’t be read, and reads the others', async () => {
    const packed = gzipSync(`id\n${Array.from({ length: 50_000 }, (_, i) => i).join('\n')}`)
    const place = memoryPlace([
      { path: 'a.csv.gz', modifiedMs: 1000, content: 'not packed' },
      { path: 'b.csv.gz', modifiedMs: 2000, content: packed.subarray(0, packed.length - 20) },
      { path: 'c.parquet', modifiedMs: 3000, content: 'PAR1' },
      csv('d.csv', 4000, 2)
    ])
    const { records } = await recordsOf(openFiles(place))
    const odd = records.filter(({ _odd }) => _odd !== null)
    assert.deepEqual(
      odd.map(({ _file, _odd }) => [_file, _odd]),
      [
        ['a.csv.gz', "the rest of the file can't be read: no whole gzip file"],
        ['b.csv.gz', "the rest of the file can't be read: no whole gzip file"],
        ['c.parquet', "the rest of the file can't be read: no Parquet file that can be read"]
      ]
    )
    assert.ok(records.length > 1000)
    assert.equal(records.at(-1)?.id, 'd.csv 1')
  })
})

describe('names of files', () => {
  it('tell the format, and whether it is packed', () => {
    const told = (path: string) => Object.values(nameOf(path))
    assert.deepEqual(told('a/b.csv'), ['csv', false])
    assert.deepEqual(told('a.b/c.NDJSON.gz'), ['ndjson', true])
    assert.deepEqual(told('a.b/c'), ['', false])
    assert.deepEqual(told('https://host.example/a.json?v=1.5#x'), ['json', false])
    assert.deepEqual(told('a.json?v'), ['json?v', false])
  })
})

describe('patterns of files', () => {
  it('fit as people know them', () => {
    const fits = (pattern: string, path: string) => parsePattern(pattern).matches(path)
    assert.ok(fits('exports/*.csv', 'exports/a.csv'))
    assert.ok(!fits('exports/*.csv', 'exports/old/a.csv'))
    assert.ok(!fits('exports/*.csv', 'exports/acsv'))
    assert.ok(fits('exports/**/*.csv', 'exports/a.csv'))
    assert.ok(fits('exports/**/*.csv', 'exports/old/er/a.csv'))
    assert.ok(fits('/data/??.json', '/data/ab.json'))
    assert.ok(fits('**', 'any/thing'))
    assert.equal(parsePattern('exports/2026-*/a').prefix, 'exports/2026-')
  })

  it('find by walking what they fit, and look nowhere else', async () => {
    const name = fc.constantFrom('a', 'b', 'ab')
    const paths = fc.uniqueArray(
      fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.csv`)
    )
    const segment = fc.constantFrom('a', 'b', '*', '**', '?', 'a*')
    const pattern = fc.tuple(fc.array(segment, { maxLength: 3 }), fc.constantFrom('*.csv', 'a.csv', '**', '?.*'))
    await fc.assert(
      fc.asyncProperty(paths, pattern, async (all, [folders, last]) => {
        const wanted = parsePattern([...folders, last].join('/'))
        const found = new Set<string>()
        const signal = new AbortController().signal
        for await (const { path } of walk(wanted, (folder) => entriesIn(all, folder), signal)) found.add(path)
        assert.deepEqual([...found].sort(), all.filter(wanted.matches).sort())
      })
    )
  })
})

async function* entriesIn(all: readonly string[], folder: string): AsyncGenerator<FolderEntry> {
  const inside = all.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length).split('/'))
  for (const name of new Set(inside.map(([first]) => first as string))) {
    yield { name, kind: inside.some(([first, more]) => first === name && more) ? 'folder' : 'file', modifiedMs: 0 }
  }
}
