import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { isDigit, isLetter } from '../chars.ts'
import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { postalAddress } from './postal-address.ts'
import { ENDINGS, FIRST_WORDS, LAST_WORDS, RARE_STREET_WORDS } from './street-words.ts'

const codesOf = (text: string) => text.split('').map((unit) => unit.charCodeAt(0))
/** In small letters, one by one, so that no letter becomes two. */
const folded = (word: string) =>
  word
    .split('')
    .map((unit) => (unit.charCodeAt(0) < 0x530 && unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit))
    .join('')

function isHouseNumber(word: string): boolean {
  const codes = codesOf(word)
  const digits = codes.filter(isDigit)
  const others = codes.filter((code) => !isDigit(code))
  const areParts = others.every((code) => isLetter(code) || code === 45 || code === 47 || code === 0x2013)
  return isDigit(word.charCodeAt(0)) && digits.length <= 6 && others.length <= 2 && areParts
}

/** What is an address, written in the plainest way. */
function plainLook(value: string): Found {
  if (value.length < 5 || value.length > 200 || !value.includes(' ')) return NO
  if (/[@={_]/.test(value) || codesOf(value).some((code) => code < 32 && code !== 10 && code !== 13)) return NO
  const words = value.split(/[ ,.:\n\r]/).filter((word) => word !== '')
  const named: string[] = []
  let hasHouse = false
  let hasStreet = false
  for (const [at, word] of words.slice(0, 16).entries()) {
    const text = folded(word)
    if (isHouseNumber(word)) hasHouse = true
    else if (isLetter(word.charCodeAt(0))) {
      const isFirst = at === 0 || isHouseNumber(words[at - 1] as string)
      if (isFirst && FIRST_WORDS.includes(text)) hasStreet = true
      if (named.length > 0 && LAST_WORDS.includes(text)) hasStreet = true
      if (word.charCodeAt(0) >= 0x250 && RARE_STREET_WORDS.includes(text)) hasStreet = true
      if (word.length >= 7 && ENDINGS.some((ending) => text.endsWith(ending))) hasStreet = true
      named.push(word)
    }
    if (hasHouse && hasStreet) return MATCH
  }
  return hasHouse && named.length > 0 && words.length <= 12 ? FORM : NO
}

const listed = fc.constantFrom(...FIRST_WORDS, ...LAST_WORDS, ...ENDINGS, ...RARE_STREET_WORDS)
const inSomeCase = fc
  .tuple(listed, fc.constantFrom('small', 'capital', 'first'))
  .map(([word, letters]) =>
    letters === 'small'
      ? word
      : letters === 'capital'
        ? word.toUpperCase()
        : `${word[0]?.toUpperCase()}${word.slice(1)}`
  )
const word = fc.oneof(
  inSomeCase,
  fc.tuple(fc.constantFrom('Haupt', 'Long', 'é', 'x', 'Sankt-Anna-', '漢'), inSomeCase).map((parts) => parts.join('')),
  fc.tuple(inSomeCase, fc.constantFrom('s', 'x', '1', '-')).map((parts) => parts.join('')),
  fc.constantFrom('Main', 'Berlin', 'de', 'la', '(rear)', '#4', '漢字', 'İl', '-', 'a@b', 'x_y', 'No'),
  fc.constantFrom(
    '1',
    '12',
    '12a',
    '12-14',
    '12/3',
    '12–14',
    '12ab',
    '12abc',
    '123456',
    '1234567',
    '1é',
    '3\u2019',
    '1a2b3c',
    '0'
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 9 })
)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', ', ', '. ', ',', '.', '  ', ':', '\n', '\t')), { maxLength: 20 })
  .map((parts) => parts.flat().join(''))

describe('postal addresses', () => {
  it('are what they are by the plain rule', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(text, fc.boolean(), (value, isTrimmed) => {
        const looked = isTrimmed ? value.trim() : value
        // What begins with a letter of East Asia is looked at elsewhere.
        fc.pre(!(looked.charCodeAt(0) >= 0x2e80))
        const found = postalAddress.look(looked)
        seen.add(found)
        assert.equal(found, plainLook(looked), JSON.stringify(looked))
      }),
      { seed: 1, numRuns: 3000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM, MATCH])
  })

  it('may have each of the words of streets, in their places', () => {
    for (const street of FIRST_WORDS) assert.equal(postalAddress.look(`7 ${street.toUpperCase()} Roma`), MATCH, street)
    for (const street of LAST_WORDS) assert.equal(postalAddress.look(`Oak ${street} 7`), MATCH, street)
    for (const ending of ENDINGS) assert.equal(postalAddress.look(`Kirch${ending} 7`), MATCH, ending)
    for (const street of RARE_STREET_WORDS) assert.equal(postalAddress.look(`${street}. Ленина, 7`), MATCH, street)
  })

  it('are known without blanks, from the country to the house', () => {
    const cases: Partial<Record<Found, readonly string[]>> = {
      [MATCH]: [
        ...['北京市朝阳区建国路88号', '上海市浦东新区世纪大道100号', '中山路12号', '台北市信義區市府路1號'],
        ...['東京都千代田区丸の内1-1-1', '大阪市北区梅田3丁目1番', '〒100-0001 東京都千代田区千代田1-1'],
        ...['서울특별시 강남구 테헤란로 123', '부산광역시 해운대구 우동 1234']
      ],
      [FORM]: ['广东省深圳市南山区', '東京都千代田区丸の内', '테헤란로 123'],
      [NO]: ['设备运行正常1号', '第3车间产品', '高温报警温度', '주문번호 123', 'テスト用データ1', '北京市朝阳区=1']
    }
    for (const [found, values] of Object.entries(cases)) {
      for (const value of values) assert.equal(postalAddress.look(value), Number(found), value)
    }
  })
})
