import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { memoryPlace, openFiles, recordsOf, withoutOwn } from '../testing/memory-place.ts'

const read = async (content: string | Uint8Array, pieceBytes?: number) => {
  const place = memoryPlace([{ path: 'a.csv', modifiedMs: 1000, content }], pieceBytes)
  return (await recordsOf(openFiles(place))).records
}
const oddOf = (records: Awaited<ReturnType<typeof read>>) => records.map(({ _row, _odd }) => [Number(_row), _odd])

describe('CSV in files', () => {
  it('reads back what was written, however it comes in pieces', async () => {
    const value = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', ' ', 'ü', '€', '|'), maxLength: 6 })
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 })
      )
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('\n', '\r\n'),
        async (table, piece, end) => {
          const header = (table[0] as string[]).map((_, i) => `c${i}`)
          const text = [header, ...table].map((row) => row.map(quoted).join(',')).join(end)
          const records = await read(text, piece)
          assert.deepEqual(
            records.map((record) => Object.values(withoutOwn(record))),
            table
          )
          assert.ok(records.every(({ _odd }) => _odd === null))
        }
      )
    )
  })

  it('gives odd records as far as they can be read, and leaves those beside them alone', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id;name\n1;one\n2\n3;three;more\n\n'),
      Buffer.from([0x34, 0x3b, 0xfc, 0x0a]),
      Buffer.from('5;"open\n6;six\n7;"sev"en\n8;grün\n9;"over\ntwo lines"\n10;""\n11;\n')
    ])
    const records = await read(bytes)
    assert.deepEqual(
      records.map((record) => Object.values(withoutOwn(record))),
      [
        ['1', 'one'],
        ['2', null],
        ['3', 'three'],
        ['4', 'ü'],
        ['5', '"open'],
        ['6', 'six'],
        ['7', 'seven'],
        ['8', 'grün'],
        ['9', 'over\ntwo lines'],
        ['10', ''],
        ['11', null]
      ]
    )
    assert.deepEqual(oddOf(records), [
      [2, null],
      [3, '1 fields where the header has 2'],
      [4, '3 fields where the header has 2'],
      [6, 'not UTF-8; read as Windows-1252'],
      [7, 'a quote that is not closed'],
      [8, null],
      [9, 'text after a closing quote'],
      [10, null],
      [11, null],
      [13, null],
      [14, null]
    ])
  })

  it('does not let a quote swallow a file, nor a line the memory', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${i},x`)
    const records = await read(`id,name\n"0,x\n${lines.slice(1).join('\n')}\n`)
    assert.equal(records.length, 5000)
    assert.equal(records.filter(({ _odd }) => _odd !== null).length, 1)
    const long = await read(`id\n1\n${'x'.repeat(20 * 1024 * 1024)}\n3\n`)
    assert.deepEqual(
      long.map(({ id }) => String(id).length),
      [1, 8 * 1024 * 1024, 1]
    )
    assert.match(String(long[1]?._odd), /cut/)
  })

  it('takes the mark at the beginning, UTF-16, names that come twice and names that are missing', async () => {
    const [first] = await read(Buffer.from('\uFEFFa\tA\t\n1\t2\t3\n', 'utf16le'))
    assert.deepEqual(withoutOwn(first ?? {}), { a: '1', A_2: '2', column_3: '3' })
    const [second] = await read('\uFEFFa|_file\n1|2\n')
    assert.deepEqual([second?.a, second?._file_2, second?._file], ['1', '2', 'a.csv'])
    assert.deepEqual(await read(''), [])
    assert.deepEqual(await read('a,b'), [])
  })
})

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
