import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { tries } from '../../../../../test/support/thorough.ts'
import { NodeFault } from '../../contract/context.ts'
import { crashing, rowsOf } from '../../testing/crashing.ts'
import { openReading, type Reading } from '../../testing/file-reading.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'

const MIB = 2 ** 20
/** Of a kilobyte each, with one that is bad. */
const ELEMENTS = tries(600_000, 1_500_000)
const BAD = 577_777

describe('CSV', () => {
  let reading: Reading
  before(async () => {
    reading = await openReading()
  })
  after(() => reading.close())

  test('is read to its end, however many of its lines are refused', async () => {
    const wide = 'x'.repeat(1000)
    const numbers = Array.from({ length: 20_000 }, (_, i) => i)
    const wrong = `id;v;pad\n${numbers.map((i) => `${i};${i % 10 === 0 ? '1.5' : 'n/a'};${wide}\n`).join('')}`
    const typed = await reading.drain(await reading.open('a.csv', wrong, { columns: { v: 'DOUBLE' } }), 'pad')
    assert.deepEqual([typed.rows, typed.rejected.length], [2000, 18_000])
    const short = `id;v;pad\n${numbers.map((i) => (i % 10 === 0 ? `${i};1.5;${wide}\n` : `${i}${wide}\n`)).join('')}`
    const broken = await reading.drain(await reading.open('a.csv', short), 'pad')
    assert.deepEqual([broken.rows, broken.rejected.length], [2000, 18_000])
    const places = broken.rejected.map(({ origin }) => origin?.line)
    assert.deepEqual(
      places,
      numbers.filter((i) => i % 10 !== 0).map((i) => i + 2)
    )
  })
})

describe('with 256 MiB of memory', () => {
  let reading: Reading
  before(async () => {
    reading = await openReading(256 * MIB)
  })
  after(() => reading.close())

  const line = (format: string, id: number, text: string) =>
    format === 'csv' ? `${id},${text}\n` : `${format === 'json' && id > 0 ? ',' : ''}{"id":${id},"text":"${text}"}\n`

  async function write(format: string, rows: number, textBytes: number): Promise<string> {
    const path = `${reading.folder}/${format}-${rows}`
    await pipeline(async function* () {
      if (format !== 'ndjson') yield format === 'csv' ? 'id,text\n' : '['
      // Several lines at once: a piece by itself takes longer to hand on than to make.
      const some = Math.max(1, Math.floor(MIB / textBytes))
      for (let first = 0; first < rows; first += some) {
        const texts = randomBytes((some * textBytes) / 2).toString('hex')
        const lines = Array.from({ length: Math.min(some, rows - first) }, (_, i) =>
          line(format, first + i, texts.slice(i * textBytes, (i + 1) * textBytes))
        )
        yield lines.join('')
      }
      if (format === 'json') yield ']'
    }, createWriteStream(path))
    return path
  }

  for (const [textBytes, rows] of [
    [1000, 300_000],
    [100_000, 4000],
    [10_000_000, 40]
  ] as const) {
    for (const format of ['csv', 'ndjson', 'json']) {
      test(`${rows} texts of ${textBytes} bytes in ${format} go through`, async () => {
        const reader = await reading.openFile(`a.${format}`, await write(format, rows, textBytes))
        assert.deepEqual(await reading.drain(reader), { rows, chars: rows * textBytes, rejected: [] })
      })
    }
  }

  test('texts of 10 MB in Parquet go through, a row group or two at a time', async () => {
    const csv = await write('csv', 30, 10_000_000)
    const converted = await reading.openFile('a.csv', csv)
    const path = `${reading.folder}/texts.parquet`
    await copyFile(`${csv}.parquet`, path)
    await reading.drain(converted)
    const reader = await reading.openFile('a.parquet', path)
    const first = await reader.next()
    assert.ok((first?.batch.parts[0]?.rows ?? 99) < 10)
    await first?.batch.release()
    const { rows, chars } = await reading.drain(reader)
    const all = rows + (first?.batch.parts[0]?.rows ?? 0)
    assert.deepEqual([all, chars], [30, rows * 10_000_000])
  })

  test('a record that is longer than 16 MiB is refused alone, with its place', async () => {
    const long = 'x'.repeat(17 * MIB)
    for (const [key, text, place] of [
      ['a.csv', `id,text\n1,a\n2,${long}\n3,"${long}"\n4,d\n`, { line: 3 }],
      ['a.ndjson', `{"id":1}\n\n{"id":2,"text":"${long}"}\n{"id":3,"text":"${long}"}\n{"id":4}`, { line: 3 }],
      ['a.json', `[{"id":1},{"id":2,"text":"${long}"},\n{"id":3,"text":"${long}"}, {"id":4}]`, { row: 2 }]
    ] as const) {
      const read = await reading.read(key, text)
      assert.deepEqual(
        read.records.map(({ values }) => values.id),
        [1, 4],
        key
      )
      assert.deepEqual(
        read.rejected.map(({ code }) => code),
        ['too_long', 'too_long'],
        key
      )
      assert.deepEqual(read.rejected[0]?.origin, { object: `object://b/${key}`, ...place })
      assert.ok((read.rejected[0]?.record.length ?? 0) <= 32_768)
    }
  })

  test('an array of many times that is read, and one bad element of it costs only itself', async () => {
    const path = `${reading.folder}/array`
    const tag = 'x'.repeat(930)
    await pipeline(async function* () {
      for (let id = 0; id < ELEMENTS; id += 1000) {
        const some = Array.from(
          { length: 1000 },
          (_, i) => `{"id":${id + i === BAD ? 'no' : id + i},"at":"2026-01-01T00:00:00Z","tag":"${tag}"}`
        )
        yield `${id === 0 ? '[' : ',\n'}${some.join(',')}`
      }
      yield ']'
    }, createWriteStream(path))
    const reader = await reading.openFile('a.json', path)
    const { rows, rejected } = await reading.drain(reader, 'tag')
    assert.equal(rows, ELEMENTS - 1)
    assert.deepEqual(
      rejected.map(({ code, origin }) => [code, origin?.row]),
      [['not_json', BAD + 1]]
    )
  })
})

describe('a run that is interrupted', () => {
  let workshop: Workshop
  before(async () => {
    workshop = await openWorkshop()
  })
  after(() => workshop.close())

  const nodes = (config: object, prefix: string) => [
    { id: 'in', type: 'file', config: { ...config } },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' as const }, inputs: ['in'] }
  ]

  test('lists what can not be read once, wherever it is interrupted', async () => {
    const csv = Array.from({ length: 4000 }, (_, n) =>
      n % 2 === 0 ? `${n},a` : n % 4 === 1 ? `x${n},a` : `${n},"open`
    )
    await workshop.put('once/1.csv', ['n,t', ...csv].join('\n'))
    await workshop.put('once/2.parquet', 'not that')
    await workshop.put(
      'once/3.ndjson',
      Array.from({ length: 3000 }, (_, n) => (n % 2 ? `{"n":${n}}` : `{"n":"x${n}"}`)).join('\n')
    )
    await workshop.put('once/4.csv', 'n,t\n5000,a\nx,b\n')
    for (const seed of [0, 1, 2]) {
      const config = { reference: 'object://b/once/*', columns: { n: 'DOUBLE' } }
      const ran = await crashing(workshop, nodes(config, `once-${seed}/`), {}, seed)
      assert.ok(ran.crashes > 0)
      assert.equal(ran.imbalance, 0)
      const places = ran.deadLetters.map(({ code, origin }) => `${code} ${JSON.stringify(origin)}`)
      assert.deepEqual([places.length, new Set(places).size], [2000 + 1 + 1500 + 1, 2000 + 1 + 1500 + 1])
      assert.equal((await rowsOf(workshop, `once-${seed}/`)).length, 2000 + 1500 + 1)
    }
  })

  test('goes on with the types that were found before', async () => {
    await workshop.put('types/1.csv', 'n\n1\n')
    await workshop.put('types/2.csv', 'n\nx\n')
    let checkpoint = null
    const crash = () => {
      throw new NodeFault('fatal', 'crash', 'on purpose')
    }
    let commits = 0
    await assert.rejects(
      workshop.run(nodes({ reference: 'object://b/types/*' }, 'types-out/'), {
        eager: true,
        onCommit(commit) {
          commits += 1
          if (commits === 2) crash()
          checkpoint = commit.checkpoint as never
        }
      })
    )
    assert.deepEqual((checkpoint as never as { positions: { in: unknown } }).positions.in, {
      objects: { after: 'types/1.csv' },
      found: { types: { n: 'DOUBLE' } },
      done: { objects: 1, bytes: 4 }
    })
    const { deadLetters } = await workshop.run(nodes({ reference: 'object://b/types/*' }, 'types-out/'), { checkpoint })
    assert.deepEqual(
      deadLetters.map(({ reason }) => reason),
      ['n: expected DOUBLE, got "x"']
    )
  })

  test('a reference that matches nothing is told once', async () => {
    const { log, end } = await workshop.run(nodes({ reference: 'object://b/nowhere/*.csv' }, 'nothing/'))
    assert.equal(end, 'completed')
    assert.deepEqual(
      log.map(({ level, message }) => [level, message]),
      [['warn', 'No object matches object://b/nowhere/*.csv, so that there is nothing to read']]
    )
  })
})
