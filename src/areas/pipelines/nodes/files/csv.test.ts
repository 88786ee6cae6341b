import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { lines, openReading, type Reading, refused, values } from '../../testing/file-reading.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

describe('CSV', () => {
  test('is read in any encoding, told or found, and a guess is said', async () => {
    const text = 'name,n\nMüller €,1\n'
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    const expected = [{ name: 'Müller €', n: 1 }]
    const windows = Buffer.from('name,n\nM\xfcller \x80,1\n', 'latin1')
    const cases: [Buffer, object | undefined][] = [
      [Buffer.from(text), undefined],
      [Buffer.from(`\ufeff${text}`), undefined],
      [utf16, undefined],
      [Buffer.from(utf16).swap16(), undefined],
      [utf16.subarray(2), { encoding: 'utf-16' }],
      [Buffer.from(utf16.subarray(2)).swap16(), { encoding: 'utf-16be' }],
      [windows, { encoding: 'windows-1252' }]
    ]
    for (const [content, csv] of cases) {
      const read = await reading.read('a.csv', content, csv && { csv })
      assert.deepEqual([values(read), read.log], [expected, []])
    }
    const guessed = await reading.read('a.csv', windows)
    assert.deepEqual(values(guessed), expected)
    assert.match(guessed.log.join(), /Windows-1252/)
    const latin = await reading.read('a.csv', windows, { csv: { encoding: 'latin-1' } })
    assert.deepEqual(values(latin), [{ name: 'Müller \x80', n: 1 }])
    const told = await reading.read('a.csv', windows, { csv: { encoding: 'utf-8' } })
    assert.deepEqual([values(told), refused(told).map(([code, line]) => [code, line])], [[], [['unreadable_line', 2]]])
  })

  test('a line in another encoding costs neither the names of columns nor the values of other lines', async () => {
    const lines = [Buffer.from('größe,straße\nMüller €,1\n'), Buffer.from('J\xfcrgen \x80,2\n', 'latin1')]
    const mixed = await reading.read('a.csv', Buffer.concat([...lines, Buffer.from('Zoë,3\n')]))
    assert.deepEqual(values(mixed), [
      { größe: 'Müller €', straße: 1 },
      { größe: 'Jürgen €', straße: 2 },
      { größe: 'Zoë', straße: 3 }
    ])
    assert.match(mixed.log.join(), /has 1 lines that are not UTF-8, .* read as Windows-1252/)
  })

  test('says of a column that it is text because of a few values among numbers', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i},${i === 10 ? 'n/a' : i / 2},${i % 2 === 0 ? 'on' : 1}`)
    const text = `id,v,mixed\n${rows.join('\n')}\n`
    const { log, records } = await reading.read('a.csv', text)
    assert.equal(records[0]?.values.v, '0')
    assert.equal(log.length, 1)
    assert.match(
      log.join(),
      /has texts in v, because 1 of the first 200 values are no numbers, such as "n\/a"; tell `columns`/
    )
    assert.deepEqual((await reading.read('a.csv', text, { columns: { v: 'VARCHAR' } })).log, [])
    assert.deepEqual((await reading.read('a.csv', text, { columns: { v: 'DOUBLE' } })).log, [])
  })

  test('is unpacked by its first bytes, whatever it is called', async () => {
    for (const pack of [gzipSync, zstdCompressSync]) {
      for (const [key, text] of [
        ['a.csv', 'a,b\n1,x\n'],
        ['a.tsv.gz', 'a\tb\n1\tx\n'],
        ['a.json', '[{"a":1,"b":"x"}]'],
        ['a.jsonl.zst', '{"a":1,"b":"x"}']
      ] as const) {
        assert.deepEqual(values(await reading.read(key, pack(Buffer.from(text)))), [{ a: 1, b: 'x' }], key)
      }
    }
    const cut = await reading.read('a.csv', gzipSync('a,b\n1,x\n'.repeat(9999)).subarray(0, 60))
    assert.deepEqual(
      [values(cut), cut.rejected.map(({ code, origin }) => [code, origin])],
      [[], [['unreadable_object', { object: 'object://b/a.csv' }]]]
    )
  })

  test('is read as it is told to be written', async () => {
    const text = "x|1.234,5|31.12.2026|31.12.2026 13:00|-\ny|'2'|01.02.2026|01.02.2026 14:00|'a|b'\n"
    const read = await reading.read('a.txt', text, {
      format: 'csv',
      columns: { column1: 'DOUBLE', column3: 'TIMESTAMPTZ' },
      csv: {
        delimiter: '|',
        header: false,
        quote: "'",
        nulls: ['-'],
        decimal: ',',
        thousands: '.',
        dateFormat: '%d.%m.%Y',
        timestampFormat: '%d.%m.%Y %H:%M'
      }
    })
    assert.deepEqual(
      values(read).map((record) => Object.values(record)),
      [
        ['x', 1234.5, '2026-12-31', '2026-12-31 13:00:00+00', null],
        ['y', 2, '2026-02-01', '2026-02-01 14:00:00+00', 'a|b']
      ]
    )
    assert.deepEqual(lines(read), [1, 2])
  })

  test('finds the delimiter, with decimal commas too, and takes lines that end in any way', async () => {
    assert.deepEqual(values(await reading.read('a.csv', 'a;b\r\n1,5;2\n3,5;"4"\r\n', { csv: { decimal: ',' } })), [
      { a: 1.5, b: 2 },
      { a: 3.5, b: 4 }
    ])
    assert.deepEqual(values(await reading.read('a.csv', 'a|b\r1|2\r')), [{ a: 1, b: 2 }])
    const lone = await reading.read('a.csv', 'a,b\n1,x\ry\n2,z\n')
    assert.deepEqual([values(lone), refused(lone)], [[{ a: 2, b: 'z' }], [['unreadable_line', 2, '1,x\ry']]])
  })

  test('a value that does not fit, and a line that is none, cost only themselves and say where they were', async () => {
    const text =
      'id,name,celsius\n1,"a\nb",1.5\n\n2,c,n/a\n3,d\n4,"never closed,2\n5,"e",3\n6,f,4,5\n7,g,"x ""y"""\n8,h,6\n'
    const read = await reading.read('a.csv', text, { columns: { celsius: 'DOUBLE' }, metadata: true })
    assert.deepEqual(values(read), [
      { id: 1, name: 'a\nb', celsius: 1.5, _object: 'a.csv', _line: 2 },
      { id: 5, name: 'e', celsius: 3, _object: 'a.csv', _line: 8 },
      { id: 8, name: 'h', celsius: 6, _object: 'a.csv', _line: 11 }
    ])
    assert.deepEqual(lines(read), [2, 8, 11])
    assert.deepEqual(refused(read), [
      ['wrong_type', 5, '{"id":"2","name":"c","celsius":"n/a"}'],
      ['unreadable_line', 6, '3,d'],
      ['unreadable_line', 7, '4,"never closed,2'],
      ['unreadable_line', 9, '6,f,4,5'],
      ['wrong_type', 10, '{"id":"7","name":"g","celsius":"x \\"y\\""}']
    ])
    assert.equal(read.rejected[0]?.reason, 'celsius: expected DOUBLE, got "n/a"')
    assert.deepEqual(read.rejected[0]?.origin, { object: 'object://b/a.csv', line: 5 })
  })

  test('says what was taken for the header, where a title or a remark stands above it', async () => {
    const rows = Array.from({ length: 30 }, (_, row) => `${row},${row}.5,x\n`).join('')
    for (const [above, header, fields, line] of [
      ['Report of March\n', 'Report of March', '1 field', 2],
      ['# made by x\n# on y\n', '# made by x', '1 field', 3],
      ['Report, of March\n', 'Report, of March', '2 fields', 2]
    ] as const) {
      const { log, rejected } = await reading.read('a.csv', `${above}id,v,w\n${rows}`)
      const hint = `the first line was taken for the header, "${header}", and ${fields} expected in each line; if that is no header, remove what stands above it`
      assert.deepEqual(log, [`Object a.csv has 31 lines with another number of fields than its header: ${hint}`])
      assert.equal(rejected.length, 31)
      assert.ok(
        rejected[0]?.reason.startsWith(`Line ${line}: `) && rejected.every(({ reason }) => reason.endsWith(hint))
      )
    }
    const some = await reading.read('a.csv', `id,v,w\n${rows}1,2\n`)
    assert.deepEqual([some.log, some.rejected.map(({ reason }) => reason.includes('header'))], [[], [false]])
  })

  test('types are those of the first object, but for columns that are new or had no values', async () => {
    const first = await reading.read('a.csv', 'n,day,later\n1,31/12/2026,\n2,01/02/2026,\n')
    assert.deepEqual(first.types, { types: { n: 'DOUBLE', day: 'DATE' }, dateFormat: '%d/%m/%Y' })
    const { types } = first
    const second = await reading.read('b.csv', 'n,day,later,new\n3,03/04/2026,5,x\nx,04/05/2026,6,y\n', {}, { types })
    assert.deepEqual(values(second), [{ n: 3, day: '2026-04-03', later: 5, new: 'x' }])
    assert.deepEqual(refused(second), [['wrong_type', 3, '{"n":"x","day":"04/05/2026","later":"6","new":"y"}']])
    assert.deepEqual(second.types.types, { n: 'DOUBLE', day: 'DATE', later: 'DOUBLE', new: 'VARCHAR' })
    assert.deepEqual((await reading.read('h.csv', 'n,m\n')).types, {})
    const told = await reading.read('c.csv', 'n\n7\n', { columns: { N: 'BIGINT', absent: 'DATE' } }, { types })
    assert.deepEqual(told.records[0]?.types, { n: 'BIGINT' })
    assert.deepEqual(values(told), [{ n: 7, absent: null }])
  })
})
