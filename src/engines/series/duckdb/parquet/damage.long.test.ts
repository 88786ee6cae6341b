import assert from 'node:assert/strict'
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { flipByte } from '../../../../../test/support/flip.ts'
import { SeriesError } from '../../errors.ts'
import { NS_PER_DAY } from '../../parse/points.ts'
import { FileSums, findDamage, sumFile } from './file-sums.ts'
import { type ChunkInfo, type RowGroup, readFooter } from './footer.ts'
import { PageCache, type RowRange, SealedFile } from './index.ts'
import { readChunk } from './pages.ts'
import { DAY, FileMaker, OPTIONS } from './testing/file-maker.ts'
import { rowsOf, type Shape } from './testing/points.ts'

const SHAPE: Shape = {
  tags: 20,
  pointsPerTag: 120,
  time: 'jittered',
  value: 'some',
  text: 'by tag',
  quality: 'mixed',
  seed: 11
}

let maker: FileMaker
before(async () => {
  maker = await FileMaker.open()
})
after(() => maker.close())

/** Reads the whole file, and checks what has to hold for any points. */
function readAll(path: string): void {
  const file = SealedFile.open(path, DAY, new PageCache(10_000_000))
  try {
    const { ids, rows } = file.tags()
    assert.equal(rows.at(-1), file.rowCount)
    ids.forEach((_, i) => {
      const row = rows[i] as number
      const { ns, values, length } = file.read({ row, count: (rows[i + 1] as number) - row })
      assert.equal(length, (rows[i + 1] as number) - row)
      assert.equal(values.length, length)
      assert.ok(ns.every((time, at) => time >= 0 && time < NS_PER_DAY && (at === 0 || time > (ns[at - 1] as number))))
    })
  } finally {
    file.close()
  }
}

function everythingIn(path: string, sums: FileSums): unknown[] {
  const file = SealedFile.open(path, DAY, new PageCache(10_000_000), sums)
  try {
    return [...file.tags().ids].map((id) => [id, file.read(file.rangeOf(id) as RowRange)])
  } finally {
    file.close()
  }
}

function refuses(path: string, message: RegExp): void {
  assert.throws(
    () => readAll(path),
    (error) =>
      error instanceof SeriesError &&
      error.code === (message.source === 'EISDIR' ? 'failed' : 'damaged') &&
      error.message.includes(path) &&
      message.test(error.message)
  )
}

describe('a damaged file', () => {
  it('is refused wherever it was cut off', async () => {
    const path = await maker.write(rowsOf({ ...SHAPE, tags: 2 }))
    const bytes = readFileSync(path)
    for (let length = 0; length < bytes.length; length += length < bytes.length - 50 ? 29 : 1) {
      writeFileSync(path, bytes.subarray(0, length))
      refuses(path, /^can't read /)
    }
  })

  it('is refused, or has points in order, whatever bytes changed', async () => {
    for (const codec of ['zstd', 'uncompressed'] as const) {
      for (const dictionaryShare of [0.001, 0.5]) {
        const path = await maker.write(rowsOf(SHAPE), { ...OPTIONS, codec, dictionaryShare })
        const bytes = readFileSync(path)
        const footerBytes = bytes.readUInt32LE(bytes.length - 8) + 8
        // The footer and the headers of pages are few bytes, so they are chosen more often.
        const place = fc.oneof(
          fc.nat(bytes.length - 1),
          fc.nat(footerBytes - 1).map((back) => bytes.length - 1 - back),
          fc.nat(150)
        )
        let refused = 0
        fc.assert(
          fc.property(place, fc.integer({ min: 1, max: 255 }), (at, change) => {
            const damaged = Buffer.from(bytes)
            damaged[at] = (damaged[at] as number) ^ change
            writeFileSync(path, damaged)
            try {
              readAll(path)
            } catch (error) {
              assert.ok(error instanceof SeriesError, String(error))
              assert.ok(error.message.startsWith("can't read ") && error.message.includes(path), error.message)
              refused += 1
            }
          }),
          { numRuns: 120 }
        )
        assert.ok(refused > 20, `${refused} were refused`)
      }
    }
  })

  it('is refused wherever a byte of what is read was changed, once its checksums are known', async () => {
    const path = await maker.write(rowsOf(SHAPE))
    const bytes = readFileSync(path)
    const sums = new FileSums(sumFile(path))
    const whole = everythingIn(path, sums)
    let refused = 0
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = (damaged[at] as number) ^ change
        writeFileSync(path, damaged)
        assert.notEqual(findDamage(path, sums), undefined)
        try {
          assert.deepEqual(everythingIn(path, sums), whole, 'right, where nothing of it was read')
        } catch (error) {
          assert.ok(error instanceof SeriesError && error.code === 'damaged', String(error))
          refused += 1
        }
      }),
      { numRuns: 200 }
    )
    assert.ok(refused > 120, `${refused} were refused`)
    writeFileSync(path, bytes)
    assert.equal(findDamage(path, sums), undefined)
  })

  it('is told by the columns and rows that are damaged', async () => {
    const path = await maker.write(rowsOf(SHAPE))
    const sums = new FileSums(sumFile(path))
    const fd = openSync(path, 'r')
    const { columns, groups } = readFooter(fd, fstatSync(fd).size)
    closeSync(fd)
    const value = columns.findIndex(({ name }) => name === 'value')
    const [, second] = groups as [RowGroup, RowGroup]
    flipByte(path, (second.chunks[value] as ChunkInfo).offset + 20)
    assert.equal(findDamage(path, sums), 'column value of rows 2048 to 2399')
    flipByte(path, readFileSync(path).length - 20)
    assert.match(findDamage(path, sums) as string, /^its footer/)
  })

  it('is refused when its pages have not as many rows as its footer says', async () => {
    const path = await maker.write(rowsOf({ ...SHAPE, tags: 2 }))
    const fd = openSync(path, 'r')
    const info = readFooter(fd, fstatSync(fd).size).groups[0]?.chunks[2] as ChunkInfo
    for (const rowCount of [239, 241]) assert.throws(() => readChunk(fd, { ...info, rowCount }), /240 rows/)
    assert.equal(readChunk(fd, info).pages[0]?.rowCount, 240)
    closeSync(fd)
  })

  it('is refused when ids are not together or times not in order', async () => {
    const rows = rowsOf({ ...SHAPE, text: 'none', value: 'rounded' })
    refuses(await maker.write([...rows.slice(60), ...rows.slice(0, 60)]), /column id of .*: its rows of id 3 are apart/)
    refuses(await maker.write(rows.toSpliced(10, 2, ...rows.slice(10, 12).reverse())), /its times are not in order/)
    refuses(await maker.write(rows.toSpliced(10, 1, ...rows.slice(10, 11), ...rows.slice(10, 11))), /not in order/)
  })
})

describe('a file that nobody wrote for this', () => {
  const columns = `1::integer as id, make_timestamp_ns(${DAY * 86_400}::bigint * 1000000000) as time, 1.5::double as value`

  it('is refused with what is wrong', async () => {
    const time = 'make_timestamp_ns(0) as time'
    refuses(
      await maker.copy(`select ${columns}`, { ...OPTIONS, codec: 'snappy' }),
      /column id of .*unsupported compression/
    )
    refuses(await maker.copy(`select 1::integer as id, ${time}`), /it has no column value/)
    refuses(
      await maker.copy(`select ${columns.replace('make_timestamp_ns', 'make_timestamp')}`),
      /column time has another/
    )
    refuses(await maker.copy(`select ${columns.replace('1::integer', '1::bigint')}`), /column id has another type/)
    refuses(await maker.copy(`select ${columns.replace('1.5::double', '1.5::float')}`), /column value has another type/)
    refuses(await maker.copy(`select ${columns}, 5::bigint as text`), /column text has another type/)
    refuses(await maker.copy(`select ${columns.replace('1::integer', 'null::integer')}`), /rows without/)
    refuses(
      await maker.copy(`select ${columns.replace(`${DAY * 86_400}`, `${DAY * 86_400 + 86_400}`)}`),
      /not of the day/
    )
    refuses(await maker.copy(`select ${columns.replace(`${DAY * 86_400}`, `${DAY * 86_400 - 1}`)}`), /not in order/)
    refuses('/nowhere/1.parquet', /ENOENT/)
    refuses('/', /EISDIR/)
  })

  it('is refused when it has an encoding that DuckDB does not write', async () => {
    const path = await maker.write(rowsOf({ ...SHAPE, text: 'none', quality: 'none' }))
    const bytes = readFileSync(path)
    const header = Buffer.from('150a15061506', 'hex')
    assert.ok(bytes.includes(header))
    bytes[bytes.indexOf(header) + 1] = 0x0e
    writeFileSync(path, bytes)
    refuses(path, /column time of .*: unsupported encoding DELTA_BYTE_ARRAY$/)
  })
})
