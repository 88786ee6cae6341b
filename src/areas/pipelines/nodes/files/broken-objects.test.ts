import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openReading, type Reading, values } from '../../testing/file-reading.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

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
