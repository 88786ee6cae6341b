import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { lines, openReading, type Reading, refused, values } from '../../testing/file-reading.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

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
    assert.deepEqual([values(read)[0]?.n, read.records[0]?.types.n], ['12345678901234567890', 'HUGEINT'])
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
