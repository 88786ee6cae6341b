import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { seeded } from '../seeded-random.ts'
import { DETECTORS } from './all.ts'
import { detect } from './detect.ts'
import { BROKEN, type Detector, MATCH } from './detector.ts'
import { MAX_VALUE_CHARS } from './limits.ts'
import { masked } from './mask.ts'
import { card, iban, NATIONAL_IDS } from './testing/check-digits.ts'
import { wordsOf } from './words.ts'

const kindsOf = (name: string, values: readonly (string | null)[]) => detect(name, values).map(({ kind }) => kind)
const byForm = (part: string): Detector[] => DETECTORS.filter(({ form }) => form.includes(part))
const changedDigit = (text: string, place: number, by: number) => {
  const places = [...text].flatMap((c, at) => (/\d/.test(c) ? [at] : []))
  const at = places[place % places.length] as number
  return `${text.slice(0, at)}${(Number(text[at]) + by) % 10}${text.slice(at + 1)}`
}

describe('detectors', () => {
  it('know values that are published as examples', () => {
    const examples: Record<string, string> = {
      'E-mail': 'Jane.Doe+x@mail.example.com',
      Telephone: '+1 (212) 555-0100',
      Card: '4111 1111 1111 1111',
      IBAN: 'GB82 WEST 1234 5698 7654 32',
      SSN: '078-05-1120',
      Insurance: 'AB 12 34 56 C',
      NHS: '943 476 5919',
      'Steuer-ID': '65929970489',
      NIR: '2 55 08 14 168 025 38',
      Codice: 'RSSMRA85T10A562S',
      DNI: '12345678Z',
      BSN: '111222333',
      Rijksregister: '85.07.30-033.28',
      PESEL: '44051401359',
      Henkilötunnus: '131052-308T',
      CPR: '070761-4285',
      Fødselsnummer: '17054026641',
      CPF: '529.982.247-25',
      Aadhaar: '2341 2341 2346',
      Resident: '11010519491231002X',
      SIN: '130 692 544',
      AHV: '756.9217.0769.85',
      Austria: '1237 010180',
      Turkey: '10000000146',
      'South Africa': '8001015009087',
      CURP: 'HEGG560427MVZRRL04',
      TFN: '123456782',
      Rodné: '736028/5163',
      OIB: '33392005961',
      'IPv4 ': '192.168.0.1/24',
      'IPv6 ': '::ffff:192.168.0.1',
      MAC: '00:1A:2b:3c:4D:5e',
      Position: '52.5200, 13.4050'
    }
    for (const [form, value] of Object.entries(examples)) {
      assert.ok(
        byForm(form).some((detector) => detector.look(value) === MATCH),
        `${form}: ${value}`
      )
    }
  })

  it('hold numbers of all countries to their check digits, as another program computes them', () => {
    for (const [country, , make] of NATIONAL_IDS) {
      const own = byForm(country)
      assert.ok(own.length > 0, country)
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const id = make(seeded(seed))
          assert.ok(
            own.some((detector) => detector.look(id) === MATCH),
            `${country}: ${id}`
          )
        }),
        { numRuns: 200, seed: 1 }
      )
    }
  })

  it('take no card number and no IBAN with a wrong digit', () => {
    const [cards] = byForm('Card number') as [Detector]
    const [ibans] = byForm('IBAN') as [Detector]
    const cases = fc.tuple(fc.integer(), fc.nat(40), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(cases, ([seed, place, by]) => {
        const [number, account] = [card(seeded(seed)), iban(seeded(seed))]
        assert.deepEqual([cards.look(number), ibans.look(account)], [MATCH, MATCH])
        assert.equal(cards.look(changedDigit(number, place, by)), BROKEN)
        assert.notEqual(ibans.look(changedDigit(account, place, by)), MATCH)
      }),
      { seed: 1 }
    )
  })

  it('go by name and values together', () => {
    const numbers = ['4111111111111112', '4111111111111113', '4111111111111114']
    const dates = ['1984-01-02', '1990-12-31', '2001-06-07']
    const cases: [string, (string | null)[], string[]][] = [
      ['email', ['a@b.co', 'c@d.org', 'e.f@g.net'], ['email']],
      ['email_verified', ['true', 'false', 'true'], []],
      ['order_id', numbers, []],
      ['card_number', numbers, []],
      ['birth_date', dates, ['birth-date']],
      ['created_at', dates, []],
      ['product', ['Galaxy Ultra', 'Anna Desk Lamp', 'Blue Chair'], []],
      ['contact', ['Anna Nowak', 'Peter Sellers', 'Ada King'], ['person-name']],
      ['lat', ['52.52001', '48.13743', '-3.70379'], ['coordinates']],
      ['reading', ['52.52001', '48.13743', '-3.70379'], []],
      ['phone', ['030 1234567', '089 7654321'], ['phone']],
      ['meter', ['0301234567', '0897654321'], []],
      ['email', [], []],
      ['email', [null, ' ', ''], []]
    ]
    for (const [name, values, kinds] of cases) assert.deepEqual(kindsOf(name, values), kinds, name)
  })

  it('tell how they came to it, the surest first', () => {
    const values = ['a@b.co', '+49 731 1234567', 'c@d.org', '+44 20 7946 0000', 'e@f.net', null]
    const found = detect('contact', values)
    assert.deepEqual(
      found.map(({ kind, confidence }) => [kind, confidence]),
      [
        ['email', 0.97],
        ['phone', 0.678]
      ]
    )
    assert.deepEqual(found[0]?.evidence, {
      form: 'E-mail address',
      values: 5,
      matches: 3,
      broken: 0,
      name: 'nothing',
      examples: ['a@a.aa', 'a@a.aaa']
    })
  })

  it('read the words of names in whatever way they are written', () => {
    assert.deepEqual(wordsOf('customerE-Mail_2'), ['customer', 'e', 'mail'])
    assert.deepEqual(wordsOf('IBANNumber'), ['iban', 'number'])
    assert.deepEqual(wordsOf('Straße Fødsel Imię'), ['strasse', 'fodsel', 'imie'])
    assert.deepEqual(wordsOf('___'), [])
  })

  it('show forms in which no letter and no digit of a value is left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 60 }), (codes) => {
        const value = String.fromCharCode(...codes)
        assert.doesNotMatch(masked(value).replace(/[aA9]/g, ''), /[\p{L}\p{N}]/u)
      }),
      { seed: 1 }
    )
    assert.equal(masked('Ada.King@x.org 7é漢'), 'Aaa.Aaaa@a.aaa 9aa')
  })

  it('never fail and are never slow, whatever the values are', () => {
    const hostile = [
      '@'.repeat(1_000_000),
      `${'a.'.repeat(500_000)}@`,
      `a@${'a.'.repeat(500_000)}`,
      `a@${'-'.repeat(1_000_000)}`,
      '1 '.repeat(500_000),
      '+'.repeat(1_000_000),
      ':'.repeat(1_000_000),
      `${'f:'.repeat(500_000)}:`,
      `eyJ${'a.eyJ'.repeat(200_000)}`,
      '(('.repeat(500_000),
      `POINT (${'1'.repeat(1_000_000)}`,
      'A'.repeat(1_000_000),
      `${'Ana '.repeat(250_000)}`,
      `${'12 Main Street '.repeat(70_000)}`,
      'mailto:'.repeat(100_000),
      'tel:'.repeat(200_000),
      '(+'.repeat(500_000),
      'geo:'.repeat(200_000),
      'IBAN '.repeat(200_000),
      '['.repeat(1_000_000),
      '1.2.3.4, '.repeat(100_000),
      '52°'.repeat(300_000),
      '5-Oct-'.repeat(150_000),
      `Server=${'password='.repeat(100_000)}`,
      `https://${':@'.repeat(400_000)}`,
      'de '.repeat(300_000),
      'И.'.repeat(500_000),
      '王'.repeat(1_000_000),
      '北京市路1'.repeat(200_000),
      '\u0301'.repeat(1_000_000),
      '\ud800'.repeat(1000),
      '\0'.repeat(1000)
    ]
    const startedMs = performance.now()
    for (const value of hostile) {
      detect('x'.repeat(1_000_000), Array(50).fill(value))
      // Without the bound, too: time grows with the length and no faster.
      for (const detector of DETECTORS) detector.look(value.slice(0, 50_000))
    }
    assert.ok(performance.now() - startedMs < 5000)
    const any = fc.array(
      fc.oneof(fc.string({ unit: ANY_CHARACTER, maxLength: MAX_VALUE_CHARS * 2 }), fc.constant(null))
    )
    fc.assert(
      fc.property(fc.string(), any, (name, values) => {
        for (const { confidence } of detect(name, values)) assert.ok(confidence >= 0.5 && confidence <= 1)
      }),
      { seed: 1, numRuns: 200 }
    )
  })
})
