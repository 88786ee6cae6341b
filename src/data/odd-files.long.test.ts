import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { DataError } from './errors.ts'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

/** More than DuckDB looks at to find out how a file is written. */
const ROWS = 30_000
const MAIL = /secret\d+@/
const header = 'id,name,amount,mail'
const usual = (row: number) => `${row},name ${row},${row / 4},secret${row}@example.org`
const quoted = (row: number) => `${row},"Smith, ${row}",${row / 4},secret${row}@example.org`
/** Where something odd is. */
const PLACES = [10, 5000, 25_000]

const file = (first: string, lineOf: (row: number) => string): string =>
  `${[first, ...Array.from({ length: ROWS }, (_, row) => lineOf(row))].join('\n')}\n`
/** The same with one other line. */
const odd = (first: string, at: number, line: string, lineOf = usual) =>
  file(first, (row) => (row === at ? line : lineOf(row)))

describe('one odd line, wherever it is', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  const relations = { d: 'object://b/odd.csv' }
  const rows = async (text: string, sql: string) => {
    await test.put('odd.csv', text)
    return (await test.rows(sql, relations))[0]
  }
  /** Nothing of a masked column is told, in whichever column it has come to lie. */
  async function hides(columns = ['mail']): Promise<void> {
    const masks = new Map([['d', columns]])
    const answer = await test.plane.query({ sql: 'FROM d', relations, masks })
    assert.doesNotMatch(JSON.stringify(await answer.rows()), MAIL)
  }
  /** What is known of a file like the usual one. */
  const FIGURES = 'SELECT count(*), count(DISTINCT id), round(sum(amount)), count(mail) FROM d'
  const SUM = (ROWS * (ROWS - 1)) / 8
  const near = (sum: unknown) => Math.abs(Number(sum) - SUM) < 10_000

  for (const at of PLACES) {
    it(`does not take its neighbours along: line ${at}`, async () => {
      for (const line of [
        `${at},name`,
        `${at}`,
        `${at},a,1,secret@example.org,more`,
        `${usual(at)}${','.repeat(40)}`,
        `${usual(at)},x`,
        `${at},na"me,1,x`,
        ', ',
        '# a note',
        `${at};name;1;x`
      ]) {
        const [count, ids, sum, mails] = (await rows(odd(header, at, line), FIGURES)) as number[]
        assert.equal(count, ROWS, line)
        assert.ok(
          (ids as number) >= ROWS - 1 && near(sum) && (mails as number) >= ROWS - 1,
          `${line}: ${ids} ${sum} ${mails}`
        )
        await hides()
      }
    })

    it(`is named where a quotation mark is broken: line ${at}`, async () => {
      for (const line of [`${at},"name" x,2.5,q`, `${at},"name,2.5,q`]) {
        const failing = rows(odd(header, at, line, quoted), FIGURES)
        await assert.rejects(failing, (error: DataError) => {
          assert.match(error.message, /^Line \d+ of odd\.csv /, line)
          assert.doesNotMatch(error.message, MAIL)
          return true
        })
      }
    })
  }

  it('does not change what divides the fields', async () => {
    const german = (row: number) => `${row};Smith, J;${row},50;secret${row}@example.org`
    for (const line of [`${german(10)};`, `${german(10)};extra`, '10;Smith, J']) {
      const text = odd('id;name;preis;mail', 10, line, german)
      const sql = 'SELECT count(*), max(id), max(name), count(mail) >= 29999 FROM d'
      assert.deepEqual(await rows(text, sql), [ROWS, ROWS - 1, 'Smith, J', true], line)
      await hides()
    }
    const listed = (row: number) => `${row};n;a, b, c`
    assert.deepEqual(await rows(odd('id;name;v', 10, '10', listed), 'SELECT count(*), max(id), max(v) FROM d'), [
      ROWS,
      ROWS - 1,
      'a, b, c'
    ])
  })

  it('does not make comments of what comes after a mark', async () => {
    const coloured = (row: number) => `${row},1,#ff00${row % 10}`
    for (const at of PLACES) {
      const [count, colours] = (await rows(
        odd('id,amount,color', at, '# note', coloured),
        'SELECT count(*), count(color) FROM d'
      )) as number[]
      assert.deepEqual([count, colours], [ROWS, ROWS - 1])
    }
  })

  it('leaves a header that is too short where it is', async () => {
    const text = file('id,name,amount', (row) => `${row},n,2.5,secret${row}@example.org`)
    assert.deepEqual(await rows(text, 'SELECT count(*), max(id), sum(amount), count(column3) FROM d'), [
      ROWS,
      ROWS - 1,
      2.5 * ROWS,
      ROWS
    ])
    await hides()
    const shifted = file(header, (row) => `${row},Smith, ${row},2.5,secret${row}@example.org`)
    assert.deepEqual(await rows(shifted, 'SELECT count(*), count(column4) FROM d'), [ROWS, ROWS])
    await hides()
    const trailing = file('id,name,amount', (row) => `${row},n,2.5,`)
    assert.deepEqual(await rows(trailing, 'SELECT count(*), max(id), sum(amount) FROM d'), [ROWS, ROWS - 1, 2.5 * ROWS])
  })

  it('keeps instants and large numbers as they are', async () => {
    for (const at of PLACES) {
      const naive = (row: number) => `${row},2026-03-01T10:00:00`
      const zoned = odd('id,t', at, `${at},2026-03-01T10:00:00+02:00`, naive)
      assert.deepEqual(await rows(zoned, 'SELECT count(*), epoch(max(t)) - epoch(min(t)) FROM d'), [ROWS, 7200])
      const numbered = odd('id,n', at, `${at},98765432109876543210`, (row) => `${row},${2n ** 53n + BigInt(row)}`)
      assert.deepEqual(await rows(numbered, 'SELECT count(DISTINCT n)::INTEGER FROM d'), [ROWS])
    }
    const long = file('id,n', (row) => `${row},${12345678901234567890000n + BigInt(row)}`)
    assert.deepEqual(await rows(long, 'SELECT count(DISTINCT n)::INTEGER FROM d'), [ROWS])
  })

  it('is told where a packed file is damaged', async () => {
    const packed = gzipSync(file(header, usual))
    const flipped = Buffer.from(packed)
    flipped[packed.length - 6] = (flipped[packed.length - 6] as number) ^ 1
    for (const damaged of [packed.subarray(0, packed.length / 2), flipped]) {
      await test.put('odd.csv.gz', damaged)
      const failing = test.rows('SELECT count(*) FROM d', { d: 'object://b/odd.csv.gz' })
      await assert.rejects(failing, { code: 'data_unreadable', message: /^odd\.csv\.gz is damaged: / })
    }
  })

  it('may end as lines do on Windows, or as others do not', async () => {
    for (const at of PLACES)
      assert.deepEqual((await rows(odd(header, at, `${usual(at)}\r`), FIGURES))?.slice(0, 2), [ROWS, ROWS])
    const mixed = file(`${header}\r`, usual)
    assert.deepEqual((await rows(mixed, FIGURES))?.slice(0, 2), [ROWS, ROWS])
    await hides()
  })

  it('may have letters of another encoding', async () => {
    for (const at of PLACES) {
      const [mixed, latin] = [
        odd(`${header},größe`, at, `${at},Jörg,1,x,`),
        file(`id,größe`, (row) => `${row},${row === at ? 'lang' : 'kürzer'}`)
      ]
      // A line of its own in Windows-1252 among others in UTF-8, and a file of nothing else.
      const bytes = Buffer.concat(
        mixed.split(/(?<=\n)/).map((line) => Buffer.from(line, line.includes('Jörg') ? 'latin1' : 'utf8'))
      )
      await test.put('odd.csv', bytes)
      const sql = 'SELECT count(*), count(*) FILTER (name = \'Jörg\'), count("größe") FROM d'
      assert.deepEqual(await test.rows(sql, relations), [[ROWS, 1, 0]])
      await hides()
      await test.put('odd.csv', Buffer.from(latin, 'latin1'))
      assert.deepEqual(await test.rows('SELECT count(*), max("größe") FROM d', relations), [[ROWS, 'lang']])
    }
  })

  it('is found in small files too, wherever it is', async () => {
    const short = Array.from({ length: 6000 }, (_, row) => (row === 5000 ? `${row}` : `${row},ab`))
    assert.deepEqual(await rows(`n,t\n${short.join('\n')}\n`, 'SELECT count(*), count(t) FROM d'), [6000, 5999])
  })

  it('may be one of two thousand columns', async () => {
    const numbers = Array.from({ length: 2000 }, (_, column) => column)
    const line = (row: number) => numbers.map((column) => column + row / 2).join()
    const text = [
      numbers.map((column) => `c${column}`).join(),
      ...Array.from({ length: 500 }, (_, row) => line(row)),
      '1,2'
    ]
    assert.deepEqual(
      await rows(`${text.join('\n')}\n`, 'SELECT count(*), max(c0), max(c1999) FROM d'),
      [501, 249.5, 2248.5]
    )
  })

  it('costs one in a hundred no more memory', async () => {
    const text = file(header, (row) =>
      row % 100 === 50 ? `${row},a,1` : row % 100 === 70 ? `${usual(row)},more,and more` : usual(row)
    )
    const [count, , sum] = (await rows(text, FIGURES)) as number[]
    assert.ok(count === ROWS && Math.abs(Number(sum) - SUM) < SUM / 50, `${count} ${sum}`)
    await hides()
  })
})
