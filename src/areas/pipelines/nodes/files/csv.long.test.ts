import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lines, openReading, type Reading, values } from '../../testing/file-reading.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

describe('CSV of many forms and lines', () => {
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

  test('whole numbers that a DOUBLE would round are exact, wherever in the first object they are', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => `${n},${n / 2},${n}`)
    const text = `id,celsius,serial\n${many.join('\n')}\n9007199254740993,1e18,98765432109876543210987\nx,1,1\n`
    const read = await reading.read('a.csv', text)
    assert.deepEqual(read.types.types, { id: 'BIGINT', celsius: 'DOUBLE', serial: 'DECIMAL(38,0)' })
    const last = read.records.at(-1)
    assert.deepEqual(
      [last?.types, String(last?.values.id), String(last?.values.serial)],
      [{ id: 'BIGINT', celsius: 'DOUBLE', serial: 'DECIMAL(38,0)' }, '9007199254740993', '98765432109876543210987']
    )
    assert.equal(read.records.length, 30_001)
    assert.deepEqual(
      read.rejected.map(({ reason, origin }) => [reason, origin?.line]),
      [['id: expected BIGINT, got "x"', 30_003]]
    )
    const cases: [text: string, csv: object, expected: [type: string, value: string]][] = [
      ["n;m\n9'007'199'254'740'993;1\n", { delimiter: ';', thousands: "'" }, ['BIGINT', '9007199254740993']],
      ['n;m\n-9223372036854775807;1\n', { delimiter: ';' }, ['DECIMAL(38,0)', '-9223372036854775807']],
      [`n;m\n${'9'.repeat(40)};1\n`, { delimiter: ';' }, ['VARCHAR', '9'.repeat(40)]],
      ['n;m\n9007199254740993;1\n0,5;1\n', { delimiter: ';', decimal: ',' }, ['DOUBLE', '9007199254740992']]
    ]
    for (const [content, csv, [type, value]] of cases) {
      const [first] = (await reading.read('b.csv', content, { csv })).records
      assert.deepEqual([first?.types.n, BigInt(first?.values.n as string).toString()], [type, value], content)
    }
    const told = await reading.read('b.csv', 'n\n12345678901234567890\n', { columns: { n: 'HUGEINT' } })
    assert.deepEqual([values(told), told.records[0]?.types.n], [[{ n: '12345678901234567890' }], 'HUGEINT'])
    const later = await reading.read('c.csv', 'id\n9007199254740993\n', {}, { types: { types: { id: 'DOUBLE' } } })
    assert.match(later.log.join(), /has numbers in id of which a DOUBLE, .* may lose digits; tell `columns`/)
  })

  test('quotes that are never closed cost one line each, however many there are', async () => {
    const all = Array.from({ length: 3000 }, (_, n) => (n % 3 === 1 ? `${n},"a""b${'x'.repeat(50)}` : `${n},ok`))
    const read = await reading.read('a.csv', ['n,t', ...all].join('\n'))
    assert.deepEqual([read.records.length, read.rejected.length], [2000, 1000])
    assert.deepEqual(lines(read).slice(0, 3), [2, 4, 5])
  })
})
