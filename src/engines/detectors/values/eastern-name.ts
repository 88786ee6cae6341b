import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'
import {
  CHINESE_DOUBLE_FAMILIES,
  CHINESE_FAMILIES,
  CHINESE_FIRST_NAMES,
  EASTERN_COMPANIES,
  EASTERN_LIST_WORDS,
  JAPANESE_ENDINGS,
  JAPANESE_FAMILIES,
  JAPANESE_READINGS,
  KOREAN_FAMILIES,
  KOREAN_FIRST_NAMES,
  KOREAN_NO_ENDINGS
} from './eastern-names.ts'

const LONGEST = 16
/** Without a blank in it. */
const LONGEST_WORD = 8
/** Longer than any word of a list; with what they have in their names, companies are. */
const LONGEST_LISTED = 4
const LISTED = new WordSet(EASTERN_LIST_WORDS, 'exact')

/** What a character is: of one of the scripts, what stands between two words, and what names have it for. */
const HAN = 1
const KANA = 2
const HANGUL = 4
const BETWEEN = 8
const CHINESE_FAMILY = 16
const CHINESE_FIRST = 32
const KOREAN_FAMILY = 64
const KOREAN_FIRST = 128
const KOREAN_NO_END = 256
const JAPANESE_END = 512
/** Of families that have more than one character, the first. */
const CHINESE_START = 1024
const JAPANESE_START = 2048
/** Of all characters, so that none has to be asked whether it is in the table. */
const CHARACTERS = new Uint16Array(0x10000)
const markAll = (from: number, to: number, mark: number) => {
  for (let code = from; code <= to; code++) CHARACTERS[code] = (CHARACTERS[code] as number) | mark
}
markAll(0x3400, 0x4dbf, HAN)
markAll(0x4e00, 0x9fff, HAN)
markAll(0x3005, 0x3005, HAN)
markAll(0xf900, 0xfaff, HAN)
markAll(0x3041, 0x3096, KANA)
markAll(0x30a1, 0x30fa, KANA)
markAll(0x30fc, 0x30fc, KANA)
markAll(0xff66, 0xff9f, KANA)
markAll(0xac00, 0xd7a3, HANGUL)
for (const [text, mark] of [
  [' \u3000·・', BETWEEN],
  [CHINESE_FAMILIES, CHINESE_FAMILY],
  [CHINESE_FIRST_NAMES, CHINESE_FIRST],
  [KOREAN_FAMILIES, KOREAN_FAMILY],
  [KOREAN_FIRST_NAMES, KOREAN_FIRST],
  [KOREAN_NO_ENDINGS, KOREAN_NO_END],
  [JAPANESE_ENDINGS, JAPANESE_END],
  [CHINESE_DOUBLE_FAMILIES.map(([first]) => first).join(''), CHINESE_START],
  [JAPANESE_FAMILIES.map(([first]) => first).join(''), JAPANESE_START]
] as const) {
  for (const character of text) markAll(character.charCodeAt(0), character.charCodeAt(0), mark)
}
const EASTERN = HAN | KANA | HANGUL

const HIRAGANA_TO_KATAKANA = 0x60
const inHiragana = (word: string): string =>
  word.replace(/[ァ-ヶ]/g, (one) => String.fromCharCode(one.charCodeAt(0) - HIRAGANA_TO_KATAKANA))

const chineseDoubles = new WordSet(CHINESE_DOUBLE_FAMILIES, 'exact')
const japaneseFamilies = new WordSet(JAPANESE_FAMILIES, 'exact')
const japaneseReadings = new WordSet([...JAPANESE_READINGS, ...JAPANESE_READINGS.map(inHiragana)], 'exact')

/**
 * A name in Chinese, Japanese or Korean: the family comes first, and there are few families. It counts where what follows is made of what first
 * names are made of, because many other words begin with the characters of families too. Words that may be a name have the form only.
 */
export function lookAtEasternName(value: string): Found {
  const { length } = value
  if (length < 2 || length > LONGEST) return NO
  let start = 0
  /** Where the first word ends, and the second begins; and all that their characters have in common. */
  let end = length
  let second = 0
  let common = EASTERN
  let commonOfSecond = EASTERN
  for (let at = 0; at < length; at++) {
    const character = CHARACTERS[value.charCodeAt(at)] as number
    if ((character & EASTERN) === 0) {
      if (character !== BETWEEN || at === start) return NO
      if (second > 0) return isThirdWord(value, at + 1) ? FORM : NO
      end = at
      second = start = at + 1
    } else if (at - start >= LONGEST_WORD) return NO
    else if (second > 0) commonOfSecond &= character
    else common &= character
  }
  const isName =
    second > 0
      ? isInTwo(value, end, second, common, commonOfSecond)
      : common === HANGUL
        ? length === 3 && isFamily(value, KOREAN_FAMILY) && isKorean(value, 1)
        : (common === HAN && isChinese(value)) || isJapanese(value)
  if (isName) return MATCH
  if (length <= LONGEST_LISTED) return LISTED.has(value, 0, length) ? NO : FORM
  return EASTERN_COMPANIES.some((company) => value.includes(company)) ? NO : FORM
}

const isFamily = (value: string, mark: number): boolean => ((CHARACTERS[value.charCodeAt(0)] as number) & mark) !== 0

/** Whether the rest is one more word. */
function isThirdWord(value: string, from: number): boolean {
  for (let at = from; at < value.length; at++) {
    if (((CHARACTERS[value.charCodeAt(at)] as number) & EASTERN) === 0) return false
  }
  return from < value.length && value.length - from <= LONGEST_WORD
}

/** `中村 大輔`, `タナカ タロウ`, `김 민준` */
function isInTwo(value: string, end: number, second: number, common: number, commonOfSecond: number): boolean {
  if (common === HANGUL) return end === 1 && isFamily(value, KOREAN_FAMILY) && isKorean(value, second)
  if (common === KANA) return commonOfSecond === KANA && japaneseReadings.has(value, 0, end)
  if (isFamily(value, JAPANESE_START) && japaneseFamilies.has(value, 0, end)) return isJapaneseName(value, second)
  const isChineseFamily = end === 1 ? isFamily(value, CHINESE_FAMILY) : chineseDoubles.has(value, 0, end)
  return isChineseFamily && areChinese(value, second)
}

function isChinese(value: string): boolean {
  if (value.length > 2 && isFamily(value, CHINESE_START) && chineseDoubles.has(value, 0, 2)) return areChinese(value, 2)
  return isFamily(value, CHINESE_FAMILY) && areChinese(value, 1)
}

/** Whether the rest is one or two characters that first names have. */
function areChinese(value: string, from: number): boolean {
  const count = value.length - from
  if (count > 2) return false
  const first = CHARACTERS[value.charCodeAt(from)] as number
  const last = CHARACTERS[value.charCodeAt(value.length - 1)] as number
  return (first & last & CHINESE_FIRST) !== 0
}

function isKorean(value: string, from: number): boolean {
  if (value.length - from !== 2) return false
  const last = CHARACTERS[value.charCodeAt(from + 1)] as number
  return ((CHARACTERS[value.charCodeAt(from)] as number) & last & KOREAN_FIRST) !== 0 && (last & KOREAN_NO_END) === 0
}

/** With the longest family of two characters or more that it begins with. */
function isJapanese(value: string): boolean {
  if (!isFamily(value, JAPANESE_START)) return false
  if (japaneseFamilies.has(value, 0, 3)) return isJapaneseName(value, 3)
  return japaneseFamilies.has(value, 0, 2) && isJapaneseName(value, 2)
}

/** Whether the rest is two characters of kana or more, or ends as many first names do. */
function isJapaneseName(value: string, from: number): boolean {
  const count = value.length - from
  if (count < 1 || count > 4) return false
  const last = CHARACTERS[value.charCodeAt(value.length - 1)] as number
  if ((last & KANA) === 0) return (last & JAPANESE_END) !== 0
  return count > 1 && ((CHARACTERS[value.charCodeAt(from)] as number) & KANA) !== 0
}
