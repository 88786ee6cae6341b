import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { openReading, type Reading, type ReadObject } from '../../testing/file-reading.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

const values = ({ records }: ReadObject) => records.map((record) => record.values)
const lines = ({ records }: ReadObject) => records.map(({ origin }) => origin?.line ?? origin?.row)
const refused = ({ rejected }: ReadObject) =>
  rejected.map(({ code, origin, record }) => [code, origin?.line ?? origin?.row, record])

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

  test('whole numbers that are told are not rounded, and times keep their instant, however they are written', async () => {
    const columns = { n: 'BIGINT', at: 'TIMESTAMP' }
    const at = '2026-03-09T13:00:00+01:00'
    const cases: [key: string, text: (n: string) => string, csv: object | undefined][] = [
      ['a.csv', (n) => `n;at\n${n};${at}\n`, { delimiter: ';' }],
      ['a.csv', (n) => `n;at\n${n.replace('.', ',')};${at}\n`, { delimiter: ';', decimal: ',' }],
      ['a.csv', (n) => `n;at\n1'00${n};${at}\n`, { delimiter: ';', thousands: "'" }],
      ['a.ndjson', (n) => `{"n":${n},"at":"${at}"}`, undefined],
      ['a.ndjson', (n) => `{"n":"${n}","at":"${at}"}`, undefined],
      ['a.json', (n) => `[{"n":${n},"at":"${at}"}]`, undefined]
    ]
    for (const [key, text, csv] of cases) {
      for (const type of ['INTEGER', 'BIGINT', 'HUGEINT']) {
        const config = { columns: { ...columns, n: type }, ...(csv && { csv }) }
        const good = await reading.read(key, text('7.0'), config)
        const [seven] = values(good)
        assert.deepEqual([Number(seven?.n) % 100, seven?.at], [7, '2026-03-09 12:00:00'], text('7.0'))
        const bad = await reading.read(key, text('1.5'), config)
        assert.deepEqual([values(bad), bad.rejected.map(({ code }) => code)], [[], ['wrong_type']], text('1.5'))
        assert.match(bad.rejected[0]?.reason ?? '', new RegExp(`^n: expected ${type}, got .*1[.,]5`))
      }
    }
    const point = await reading.read('a.csv', 'n;m\n1.5;2\n', { columns, csv: { delimiter: ';', decimal: ',' } })
    assert.deepEqual(
      point.rejected.map(({ reason }) => reason),
      ['n: expected BIGINT, got "1.5"']
    )
  })

  test('quotes that are never closed cost one line each, however many there are', async () => {
    const all = Array.from({ length: 3000 }, (_, n) => (n % 3 === 1 ? `${n},"a""b${'x'.repeat(50)}` : `${n},ok`))
    const read = await reading.read('a.csv', ['n,t', ...all].join('\n'))
    assert.deepEqual([read.records.length, read.rejected.length], [2000, 1000])
    assert.deepEqual(lines(read).slice(0, 3), [2, 4, 5])
  })
})

describe('an object that is not what it is said to be', () => {
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))
  const utf16 = Buffer.from('a,b\n1,x\n2,y\n', 'utf16le')
  const cases: [key: string, content: string | Buffer, config?: object][] = [
    ['a.csv', utf16],
    ['a.csv', Buffer.from(utf16).swap16()],
    ['a.csv', utf16, { csv: { encoding: 'latin-1' } }],
    ['a.csv', noise],
    ['a.csv', '\0\0\0'],
    ['a.csv', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ['a.csv', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 9, 9, 9])],
    ['a.csv', 'a,b\n1\n1,2,3\n"x\n1,"a"b\n'],
    ['a.csv', `a,b\n1,${'x'.repeat(17 << 20)}\n`],
    ['a.csv', 'a,b\n1,\xff\n', { columns: { a: 'DATE', b: 'UUID' } }],
    ['a.csv', 'a,millrace:wrong\n1.5,2\n', { columns: { a: 'BIGINT' } }],
    ['a.json', noise],
    ['a.json', '{"a":'],
    ['a.ndjson', noise],
    ['a.ndjson', '[{"a":1}]'],
    ['a.ndjson', '{"a":1.5,"millrace:kinds":2}\n{"a":"x"}'],
    ['a.ndjson', `{${Array.from({ length: 3000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['a.parquet', ''],
    ['a.parquet', 'PAR1xxx'],
    ['a.parquet', `PAR1${'x'.repeat(100)}PAR1`],
    ['a.parquet', 'a,b\n1,2\n1,2\n1,2\n'],
    ['a.unknown', 'x']
  ]

  test('is told in words, without statements, tables, columns and files of the server', async () => {
    for (const [key, content, config] of cases) {
      const { rejected, log, records } = await reading.read(key, content, config)
      assert.ok(rejected.length > 0 && records.length === 0, key)
      for (const said of [...rejected.map(({ reason }) => reason), ...log]) {
        assert.doesNotMatch(said, /SELECT|read_|LINE 1|Error:|"s"\.|millrace-reading|object-\d|…|\/tmp|\n/, said)
        assert.ok(!said.includes('millrace:') || String(content).includes('millrace:'), said)
      }
    }
  })

  test('or lacks columns that are told is told of, with the name that may be meant', async () => {
    const columns = { celcius: 'DOUBLE', n: 'DOUBLE', other: 'DATE' }
    for (const [key, text] of [
      ['a.csv', 'n,celsius\n1,2\n'],
      ['a.ndjson', '{"n":1,"celsius":2}']
    ] as const) {
      const { log, records } = await reading.read(key, text, { columns })
      assert.deepEqual(log, [`Object ${key} has no column of those that are told: celcius (there is celsius), other`])
      assert.equal(records.length, 1)
    }
  })

  test('in UTF-16 without a mark says which encoding to tell; JSON needs nobody to tell', async () => {
    for (const [content, encoding] of [
      [utf16, 'utf-16le'],
      [Buffer.from(utf16).swap16(), 'utf-16be']
    ] as const) {
      const { rejected } = await reading.read('a.csv', content)
      assert.match(rejected[0]?.reason ?? '', new RegExp(`UTF-16.*tell csv.encoding \\(${encoding}\\)`))
      assert.equal(values(await reading.read('a.csv', content, { csv: { encoding } })).length, 2)
      const json = Buffer.from('{"a":"ü"}\n', 'utf16le')
      const text = encoding === 'utf-16le' ? json : json.swap16()
      assert.deepEqual(values(await reading.read('a.ndjson', text)), [{ a: 'ü' }])
    }
  })
})

describe('JSON', () => {
  const ndjson = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join('\n')

  test('a value keeps its kind, whatever its neighbours are', async () => {
    const records = [
      { a: 1, b: 'x' },
      { a: 'n/a', b: 'y' },
      { a: null, b: true },
      { a: 2 },
      { a: { c: 1 }, b: 'z' },
      { a: false }
    ]
    for (const [key, text] of [
      ['a.ndjson', ndjson(records)],
      ['a.json', JSON.stringify(records, null, 2)]
    ] as const) {
      const read = await reading.read(key, text)
      assert.deepEqual(
        read.records.map(({ values: { a, b } }) => [a, b]),
        [
          [1, 'x'],
          ['n/a', 'y'],
          [null, true],
          [2, null],
          [{ c: 1 }, 'z'],
          [false, null]
        ]
      )
      assert.deepEqual(
        read.records.map(({ types }) => types),
        [
          { a: 'DOUBLE', b: 'VARCHAR' },
          { a: 'VARCHAR', b: 'VARCHAR' },
          { b: 'BOOLEAN' },
          { a: 'DOUBLE' },
          { a: 'JSON', b: 'VARCHAR' },
          { a: 'BOOLEAN' }
        ]
      )
      assert.deepEqual(lines(read), [1, 2, 3, 4, 5, 6])
    }
  })

  test('one bad line or element costs only itself, and the places of the others stay right', async () => {
    const good = (n: number) => `{"n":${n},"m":${n % 2 ? n : '"x"'}}`
    const text = [good(1), '', 'nope', good(4), '  ', '[1]', good(7), '{"n":', good(9)].join('\n')
    const read = await reading.read('a.ndjson', text, { metadata: true })
    assert.deepEqual(
      values(read).map(({ n, _line }) => [n, _line]),
      [
        [1, 1],
        [4, 4],
        [7, 7],
        [9, 9]
      ]
    )
    assert.deepEqual(lines(read), [1, 4, 7, 9])
    assert.deepEqual(refused(read), [
      ['not_json', 3, 'nope'],
      ['not_json', 6, '[1]'],
      ['not_json', 8, '{"n":']
    ])
    const elements = await reading.read('a.json', `[${good(1)}, {"n":}, 5, ${good(4)},\n {"n":"x},\n ${good(6)}]`)
    assert.deepEqual(
      values(elements).map(({ n }) => n),
      [1, 4, 6]
    )
    assert.deepEqual(
      elements.records.map(({ origin }) => origin),
      [1, 4, 6].map((row) => ({ object: 'object://b/a.json', row }))
    )
    assert.deepEqual(refused(elements), [
      ['not_json', 2, '{"n":}'],
      ['not_json', 3, '5'],
      ['not_json', 5, '{"n":"x},']
    ])
  })

  test('JSON is an array, one object or several, written in any way', async () => {
    for (const text of [
      '{"a":"]}\\""}',
      ' [ {"a":"]}\\""} ] ',
      '\ufeff{\n"a"\r\n:\t"]}\\""\n}',
      '[\n{"a":"]}\\""\n}\n,]'
    ]) {
      assert.deepEqual(values(await reading.read('a.json', text)), [{ a: ']}"' }], text)
    }
    assert.deepEqual(
      values(await reading.read('a.json', '{"a":1}\n{"a":2} {"a":3}[{"a":4}]')).map(({ a }) => a),
      [1, 2, 3, 4]
    )
    assert.deepEqual(values(await reading.read('a.json', '[]')), [])
  })

  test('types that are told are those of every record; what can not be cast is refused alone', async () => {
    const text = ndjson([{ c: 1, id: '7', x: 1 }, { c: 'n/a', x: 'y' }, { c: '2.5', x: 'z' }, { x: 3 }, { c: [1] }])
    const read = await reading.read('a.ndjson', `nope\n${text}`, {
      columns: { c: 'DOUBLE', id: 'BIGINT', day: 'DATE' }
    })
    assert.deepEqual(
      values(read).map(({ c, id, x }) => [c, id, x]),
      [
        [1, 7, 1],
        [2.5, null, 'z'],
        [null, null, 3]
      ]
    )
    assert.deepEqual(read.records[0]?.types, { c: 'DOUBLE', id: 'BIGINT', x: 'DOUBLE' })
    assert.deepEqual(lines(read), [2, 4, 5])
    assert.deepEqual(
      read.rejected.map(({ code, reason }) => [code, reason]),
      [
        ['not_json', 'Line 1 is no JSON object'],
        ['wrong_type', 'c: expected DOUBLE, got "n/a"'],
        ['wrong_type', 'c: expected DOUBLE, got [1]']
      ]
    )
    assert.equal(JSON.parse(read.rejected[1]?.record ?? '').x, 'y')
    assert.deepEqual(read.rejected[2]?.origin, { object: 'object://b/a.ndjson', line: 6 })
  })

  test('what JSON does not know is refused, whatever DuckDB takes', async () => {
    const odd = ['NaN', 'nan', '-inf', 'Infinity', '[ NaN ]', '{"b":-Infinity}', '1,', '[1, ]', "'x'", '+1', '0x1']
    const sound = ['", }"', '"nan"', '": inf,"', '{"nan":[]}']
    const text = (value: string) => `{"a":${value}}`
    const all = [...odd, ...sound].map(text)
    for (const [key, content] of [
      ['a.ndjson', all.join('\n')],
      ['a.json', `[${all.join(', ')}]`]
    ] as const) {
      const read = await reading.read(key, content)
      assert.deepEqual(
        refused(read),
        odd.map((value, i) => ['not_json', i + 1, text(value)])
      )
      assert.deepEqual(
        values(read).map(({ a }) => a),
        sound.map((value) => JSON.parse(value))
      )
    }
  })

  test('a sign that JSON does not know is found wherever it stands in the object', async () => {
    const line = `{"a":"${'x'.repeat(1000)}"}\n`
    for (const odd of ['{"a":  NaN  }', '{"a":1   ,   }']) {
      for (let shift = 0; shift < odd.length + 2; shift += 3) {
        const front = line.repeat(Math.ceil((1 << 20) / line.length)).slice(-(1 << 20) + shift)
        const begin = `{"b":${'1'.repeat(front.indexOf('\n') - 6)}}${front.slice(front.indexOf('\n'))}`
        const read = await reading.read('a.ndjson', `${begin}${odd}\n${line}`)
        assert.deepEqual(
          read.rejected.map(({ code, record }) => [code, record]),
          [['not_json', odd]]
        )
      }
    }
  })

  test('of a name that stands twice the last counts, and names that are the same in SQL are told apart', async () => {
    const read = await reading.read('a.ndjson', '{"a":1,"a":2,"n":12345678901234567890}\n{"a":3,"A":4,"":5}\n{"a":6}', {
      columns: { n: 'HUGEINT' }
    })
    assert.deepEqual(
      values(read).map(({ a, A_2, unnamed }) => [a, A_2, unnamed]),
      [
        [2, null, null],
        [3, 4, 5],
        [6, null, null]
      ]
    )
    const { value } = await reading.database
      .runAndReadAll("SELECT '12345678901234567890'::HUGEINT::DOUBLE")
      .then((answer) => {
        return { value: answer.value(0, 0) }
      })
    assert.equal(values(read)[0]?.n, value)
  })

  test('any order and any division into objects gives each record the same values and types', async () => {
    const value = fc.oneof(
      fc.integer({ min: -9, max: 9 }),
      fc.constantFrom('n/a', '1', ''),
      fc.boolean(),
      fc.constant(null),
      fc.constant({ k: 1 }),
      fc.constant([1])
    )
    const record = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] })
    const division = fc.tuple(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.nat(99)),
      fc.boolean()
    )
    await fc.assert(
      fc.asyncProperty(division, async ([records, numbers, isArray]) => {
        const objects = new Map<number, unknown[]>()
        for (const [id, one] of records
          .map((each, i) => [i, each] as const)
          .sort(() => (numbers.next().value % 2) - 0.5)) {
          const of = (numbers.next().value as number) % 2
          objects.set(of, [...(objects.get(of) ?? []), { id, ...one }])
        }
        const fates: [number, string][] = []
        for (const all of objects.values()) {
          const read = await reading.read(isArray ? 'a.json' : 'a.ndjson', isArray ? JSON.stringify(all) : ndjson(all))
          assert.deepEqual(read.rejected, [])
          for (const { values: found, types } of read.records) fates.push([Number(found.id), fateOf(found, types)])
        }
        const expected = records.map((one, id) => [id, fateOf({ id, ...one }, typesOf({ id, ...one }))])
        assert.deepEqual(
          fates.sort(([a], [b]) => a - b),
          expected
        )
      }),
      { numRuns: 12 }
    )
  })
})

/** Of fields that are not NULL, in the order of their names. */
function fateOf(found: Readonly<Record<string, unknown>>, types: Readonly<Record<string, string>>): string {
  const names = Object.keys(found).filter((name) => found[name] !== null && found[name] !== undefined)
  return JSON.stringify(names.sort().map((name) => [name, found[name], types[name]]))
}

function typesOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  const names = { number: 'DOUBLE', string: 'VARCHAR', boolean: 'BOOLEAN', object: 'JSON' }
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, names[typeof value as 'number']]))
}
