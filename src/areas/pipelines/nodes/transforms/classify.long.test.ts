import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../../test/support/any-character.ts'
import { sqlText } from '../../../../data/relation.ts'
import type { SelectType } from '../../contract/node-type.ts'
import { classify } from './classify.ts'
import { DETECTORS } from './classify-detectors.ts'

let instance: DuckDBInstance
let database: DuckDBConnection
before(async () => {
  instance = await DuckDBInstance.create(':memory:')
  database = await instance.connect()
})
after(() => {
  database.closeSync()
  instance.closeSync()
})

/** The kinds in each of the texts. */
async function kindsIn(texts: readonly (string | null)[]): Promise<string[][]> {
  const values = texts.map((text, n) => `(${n}, ${text === null ? 'NULL' : sqlText(text)})`).join(', ')
  const columns = [
    { name: 'n', type: 'INTEGER' },
    { name: 't', type: 'VARCHAR' }
  ]
  const input = { id: 'in', from: `(SELECT * FROM (VALUES ${values}) v(n, t)) AS input`, columns, also: '' }
  const sql = (classify as unknown as SelectType<object>).select({}, [input])
  const reader = await database.runAndReadAll(`${sql} ORDER BY n`)
  return reader.getRowObjectsJson().map((row) => row._classified as string[])
}

const EXAMPLES: Record<string, { good: string[]; bad: string[] }> = {
  email: {
    good: ['a@b.co', 'Write to Jane.Doe+x@mail.example.com!', '<x_1@sub-domain.org>'],
    bad: ['a@b', '@b.co', 'a b.co', 'a@-b.co', 'user@']
  },
  phone: {
    good: ['+49 731 1234567', 'call +1 (212) 555-0100 now', '(212) 555-0100', '212-555-0100', '+442079460000'],
    bad: ['12345', '+0 123 4567890', '2026-01-01', '1.2.3.4', '+12', '0212-555-01001']
  },
  iban: {
    good: [
      'DE89370400440532013000',
      'to DE89 3704 0044 0532 0130 00 please',
      'GB82 WEST 1234 5698 7654 32',
      'NO9386011117947'
    ],
    bad: ['DE88370400440532013000', 'DE8937040044', 'XX00', 'GB82 WEST 1234 5698 7654 33']
  },
  credit_card: {
    good: [
      '4111111111111111',
      'card 4111 1111 1111 1111.',
      '5500-0000-0000-0004',
      '378282246310005',
      '6011111111111117'
    ],
    bad: ['4111111111111112', '411111111111', '0000000000000000', '12345678901234567890123', '9999999999999995']
  },
  ip: {
    good: [
      '192.168.0.1',
      'from 10.0.0.255, port 1',
      '2001:db8::1',
      '::1',
      'fe80::1ff:fe23:4567:890a',
      '1:2:3:4:5:6:7:8',
      'It is 8.8.8.8.'
    ],
    bad: ['256.1.1.1', '1.2.3', '1.2.3.4.5', '12:30', '12:30:15', 'a::b::c', 'std::string']
  },
  ssn: {
    good: ['123-45-6789', 'SSN: 078-05-1120', '899-99-9999'],
    bad: ['000-12-3456', '666-12-3456', '900-12-3456', '123-00-4567', '123-45-0000', '1123-45-6789', '123-45-67890']
  }
}

describe('classify', () => {
  for (const { kind } of DETECTORS) {
    test(`finds ${kind}, and does not see it where it is not`, async () => {
      const { good = [], bad = [] } = EXAMPLES[kind] ?? {}
      const found = await kindsIn([...good, ...bad])
      assert.deepEqual(
        [...good, ...bad].filter((_, i) => found[i]?.includes(kind)),
        good
      )
    })
  }

  test('card numbers are found if and only if Luhn holds, with and without spaces', async () => {
    const numbers = fc.tuple(fc.integer({ min: 2, max: 6 }), fc.array(fc.nat(9), { minLength: 12, maxLength: 18 }))
    const property = fc.asyncProperty(fc.array(numbers, { minLength: 50, maxLength: 100 }), async (list) => {
      const texts = list.map(([first, rest]) => [first, ...rest].join(''))
      const spaced = texts.map((digits) => digits.replace(/\d{4}(?=\d)/g, '$& '))
      const found = await kindsIn([...texts, ...spaced])
      for (const [i, digits] of [...texts, ...texts].entries()) {
        assert.equal(found[i]?.includes('credit_card'), passesLuhn(digits), digits)
      }
    })
    await fc.assert(property, { numRuns: 5 })
  })

  test('IBANs are found if and only if their check digits hold', async () => {
    const body = fc.string({ unit: fc.constantFrom(...'0123456789ABCXYZ'), minLength: 12, maxLength: 27 })
    const property = fc.asyncProperty(fc.array(fc.tuple(body, fc.nat(97)), { minLength: 50 }), async (list) => {
      const texts = list.map(([rest, digits]) => `DE${String(digits + 2).padStart(2, '0')}${rest}`)
      const found = await kindsIn(texts)
      for (const [i, iban] of texts.entries()) assert.equal(found[i]?.includes('iban'), mod97(iban) === 1n, iban)
    })
    await fc.assert(property, { numRuns: 5 })
  })

  test('any text at all is looked at, and nothing is found in nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: ANY_CHARACTER }).map((t) => t.replaceAll('\0', '')),
          { minLength: 1 }
        ),
        async (texts) => {
          assert.equal((await kindsIn(texts)).length, texts.length)
        }
      ),
      { numRuns: 5 }
    )
    assert.deepEqual(await kindsIn([null, '', 'nothing here']), [[], [], []])
  })

  test('looks at the columns it is told of, and can name its own', async () => {
    const columns = [
      { name: 'a', type: 'VARCHAR' },
      { name: 'b', type: 'VARCHAR' },
      { name: 'n', type: 'INTEGER' }
    ]
    const input = { id: 'in', from: "(SELECT 'a@b.co' AS a, '192.168.0.1' AS b, 5 AS n) AS input", columns, also: '' }
    const select = (config: object) => (classify as unknown as SelectType<object>).select(config, [input])
    const row = async (config: object) => (await database.runAndReadAll(select(config))).getRowObjectsJson()[0]
    assert.deepEqual(await row({}), { a: 'a@b.co', b: '192.168.0.1', n: 5, _classified: ['email', 'ip'] })
    assert.deepEqual(await row({ columns: ['B'], into: 'a' }), { b: '192.168.0.1', n: 5, a: ['ip'] })
    assert.throws(() => select({ columns: ['c'] }), { code: 'no_such_column' })
  })
})

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, char, i) => {
    const worth = Number(char) * (i % 2 === 1 ? 2 : 1)
    return total + (worth > 9 ? worth - 9 : worth)
  }, 0)
  return sum % 10 === 0
}

function mod97(iban: string): bigint {
  const turned = iban.slice(4) + iban.slice(0, 4)
  return BigInt([...turned].map((char) => Number.parseInt(char, 36)).join('')) % 97n
}
