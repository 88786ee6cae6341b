import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { isCapital, isLetter } from '../chars.ts'
import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { lookAtAlphabetName } from './alphabet-name.ts'
import { CYRILLIC_NAMES, FAMILY_ENDINGS, FATHER_ENDINGS, GREEK_NAMES, NO_PERSONS } from './alphabet-names.ts'
import { lookAtEasternName } from './eastern-name.ts'
import * as eastern from './eastern-names.ts'
import { personName } from './person-name.ts'

const plainly = (word: string) =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
const FIRSTS = new Set([...CYRILLIC_NAMES, ...GREEK_NAMES].map(plainly))
const NOT_PERSONS = new Set(NO_PERSONS.map(plainly))
const isPart = (unit: string) => isLetter(unit.charCodeAt(0)) || "'’-".includes(unit)
const isFirst = (word: string) => FIRSTS.has(plainly(word.split(/['’-]/)[0] as string))
const endsWith = (word: string, endings: readonly string[]) =>
  endings.map(plainly).some((ending) => word.length >= ending.length + 2 && plainly(word).endsWith(ending))

/** What is a name in Cyrillic or Greek letters, written in the plainest way. */
function plainAlphabetLook(value: string): Found {
  if (!value.split('').every((unit) => isPart(unit) || ' .,'.includes(unit))) return NO
  const words = value.split(/[ .,]+/).filter((word) => word !== '')
  if (words.length === 0 || words.length > 5) return NO
  if (!words.every((word) => isCapital(word.charCodeAt(0)))) return NO
  const initials = [...value.matchAll(/(?<![^ .,])[^ .,]\./g)]
  const isInitial = (word: string, at: number) =>
    word.length === 1 &&
    initials.some(
      ({ index }) =>
        value
          .slice(0, index)
          .split(/[ .,]+/)
          .filter(Boolean).length === at
    )
  const [first = '', second = ''] = words
  if (words.slice(0, 2).some((word, at) => !isInitial(word, at) && NOT_PERSONS.has(plainly(word)))) return NO
  if (words.length === 1) return FORM
  if (!isInitial(first, 0) && isFirst(first)) return MATCH
  if (!isInitial(second, 1) && isFirst(second) && !isInitial(first, 0) && endsWith(first, FAMILY_ENDINGS)) return MATCH
  if (words.slice(1).some((word) => endsWith(word, FATHER_ENDINGS))) return MATCH
  const isLast = isInitial(words.at(-1) as string, words.length - 1)
  const isBeside = initials.length > 0 && words.length - initials.length === 1
  return isBeside && (!isLast || initials.length > 1 || value.includes(',')) ? MATCH : FORM
}

const alphabetWord = fc.oneof(
  fc.constantFrom(...CYRILLIC_NAMES, ...GREEK_NAMES),
  fc.constantFrom(...CYRILLIC_NAMES, ...GREEK_NAMES).map((name) => name.toUpperCase()),
  fc.constantFrom(...CYRILLIC_NAMES).map((name) => `${name}-Мария`),
  fc.constantFrom(...FAMILY_ENDINGS, ...FATHER_ENDINGS).map((ending) => `Петр${ending}`),
  fc.constantFrom(...NO_PERSONS),
  fc.constantFrom('И', 'Ж', 'Α', 'Насос', 'Платье', 'де', 'Smith', 'Ов', 'Ёж', '5', '漢')
)
const alphabetText = fc
  .array(fc.tuple(alphabetWord, fc.constantFrom(' ', ' ', ' ', ', ', '. ', '.', ',')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join('').trim())

const HAN = /^[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+$/
const KANA = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f]+$/
const HANGUL = /^[\uac00-\ud7a3]+$/
const EASTERN =
  /^[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f\uac00-\ud7a3]+$/
const areIn = (text: string, characters: string) => [...text].every((one) => characters.includes(one))

const isChineseName = (name: string) => name.length >= 1 && name.length <= 2 && areIn(name, eastern.CHINESE_FIRST_NAMES)
const isKoreanName = (name: string) =>
  name.length === 2 && areIn(name, eastern.KOREAN_FIRST_NAMES) && !areIn(name.slice(1), eastern.KOREAN_NO_ENDINGS)
function isJapaneseName(name: string): boolean {
  if (name.length < 1 || name.length > 4) return false
  if (KANA.test(name.slice(-1))) return name.length > 1 && KANA.test(name.slice(0, 1))
  return eastern.JAPANESE_ENDINGS.includes(name.slice(-1))
}
const inKatakana = (word: string) =>
  word.replace(/[\u3041-\u3096]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0x60))

function isNameInOne(word: string): boolean {
  if (HANGUL.test(word)) return eastern.KOREAN_FAMILIES.includes(word[0] as string) && isKoreanName(word.slice(1))
  const isDouble = word.length > 2 && eastern.CHINESE_DOUBLE_FAMILIES.includes(word.slice(0, 2))
  const isSingle = !isDouble && eastern.CHINESE_FAMILIES.includes(word[0] as string)
  if (HAN.test(word) && isDouble && isChineseName(word.slice(2))) return true
  if (HAN.test(word) && isSingle && isChineseName(word.slice(1))) return true
  const length = [3, 2].find(
    (count) => word.length >= count && eastern.JAPANESE_FAMILIES.includes(word.slice(0, count))
  )
  return length !== undefined && isJapaneseName(word.slice(length))
}

function isNameInTwo(family: string, name: string): boolean {
  if (HANGUL.test(family)) return family.length === 1 && eastern.KOREAN_FAMILIES.includes(family) && isKoreanName(name)
  if (KANA.test(family)) {
    const isAllOne = /^[\u30a1-\u30f6]+$/.test(family) || /^[\u3041-\u3096]+$/.test(family)
    return isAllOne && KANA.test(name) && eastern.JAPANESE_READINGS.includes(inKatakana(family))
  }
  if (eastern.JAPANESE_FAMILIES.includes(family)) return isJapaneseName(name)
  const isFamily =
    family.length === 1 ? eastern.CHINESE_FAMILIES.includes(family) : eastern.CHINESE_DOUBLE_FAMILIES.includes(family)
  return isFamily && isChineseName(name)
}

/** The same in Chinese, Japanese and Korean. */
function plainEasternLook(value: string): Found {
  if (value.length < 2 || value.length > 16) return NO
  const words = value.split(/[ \u3000·・]/)
  if (words.length > 3 || words.slice(0, -1).includes('')) return NO
  const last = words.at(-1) === '' ? words.pop() : undefined
  if (words.length > 1 && last !== undefined) return NO
  if (!words.every((word) => EASTERN.test(word) && word.length <= 8)) return NO
  const [first = '', second] = words
  if (words.length === 3) return FORM
  if (second === undefined ? last === undefined && isNameInOne(first) : isNameInTwo(first, second)) return MATCH
  if (value.length <= 4) return eastern.EASTERN_LIST_WORDS.includes(value) ? NO : FORM
  return eastern.EASTERN_COMPANIES.some((company) => value.includes(company)) ? NO : FORM
}

const easternPart = fc.oneof(
  fc.constantFrom(...eastern.CHINESE_FAMILIES, ...eastern.CHINESE_DOUBLE_FAMILIES),
  fc.constantFrom(...eastern.CHINESE_FIRST_NAMES, ...eastern.JAPANESE_ENDINGS, ...eastern.KOREAN_FIRST_NAMES),
  fc.constantFrom(...eastern.JAPANESE_FAMILIES),
  fc.constantFrom(...eastern.JAPANESE_READINGS, 'さとう', 'さとう', 'タロウ', 'はなこ', 'さくら'),
  fc.constantFrom(...eastern.KOREAN_FAMILIES, ...eastern.KOREAN_NO_ENDINGS),
  fc.constantFrom(...eastern.EASTERN_COMPANIES, ...eastern.EASTERN_LIST_WORDS, '漢', 'A', '1', '。')
)
const easternText = fc
  .array(fc.tuple(easternPart, fc.constantFrom('', '', '', ' ', '\u3000', '・')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join('').trim())
const anything = fc.string({ unit: ANY_CHARACTER, maxLength: 20 })

describe('names in other alphabets', () => {
  it('are what they are by the plain rule, in Cyrillic and Greek', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: alphabetText }, { weight: 1, arbitrary: anything }), (value) => {
        const found = lookAtAlphabetName(value)
        seen.add(found)
        assert.equal(found, plainAlphabetLook(value), JSON.stringify(value))
      }),
      { seed: 1, numRuns: 10_000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM, MATCH])
  })

  it('are what they are by the plain rule, in Chinese, Japanese and Korean', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: easternText }, { weight: 1, arbitrary: anything }), (value) => {
        const found = lookAtEasternName(value)
        seen.add(found)
        assert.equal(found, plainEasternLook(value), JSON.stringify(value))
      }),
      { seed: 1, numRuns: 10_000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM, MATCH])
  })

  it('are known in each of the ways to write them', () => {
    const cases: Partial<Record<Found, readonly string[]>> = {
      [MATCH]: [
        ...['Иванов Иван Иванович', 'ИВАНОВ ИВАН', 'Олег Смирнов', 'Петров И.И.', 'И. Петров', 'Петров, И.'],
        ...['Μαρία Παπαδοπούλου', 'Παπαδόπουλος Γιώργος', '王伟', '李小明', '欧阳娜', '田中太郎', '中村 大輔'],
        ...['タナカ タロウ', 'さとう はなこ', '김민준', '김 민준']
      ],
      [FORM]: [
        'Насос',
        'Платье Анна',
        'Петров И.',
        '周一',
        '黄色',
        '北京',
        '苏州',
        '山口県',
        '서울시',
        '안동시',
        '漢字'
      ],
      [NO]: ['Завод Анна', 'Да', '株式会社日立', '正常', '王伟1']
    }
    for (const [found, values] of Object.entries(cases)) {
      for (const value of values) assert.equal(personName.look(value), Number(found), value)
    }
  })
})
