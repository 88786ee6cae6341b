import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { isCapital, isLetter } from '../chars.ts'
import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { FAMILY_NAMES } from './family-names.ts'
import { FIRST_NAMES } from './first-names.ts'
import {
  FAMILY_ENDINGS,
  LIST_WORDS,
  NO_PERSON_WORDS,
  PARTICLE_WORDS,
  SMALL_TITLE_WORDS,
  TITLE_WORDS
} from './name-words.ts'
import { personName } from './person-name.ts'

const plainly = (word: string) =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[łŁøØđĐı]/g, (letter) => 'lLoOdDi'['łŁøØđĐı'.indexOf(letter)] as string)
const knownOf = (names: readonly string[]) => new Set(names.map((name) => plainly(name).toLowerCase()))
const FIRSTS = knownOf(FIRST_NAMES)
const FAMILIES = knownOf(FAMILY_NAMES)
const TITLES = knownOf(TITLE_WORDS)
const LISTED = knownOf(LIST_WORDS)
const isPart = (unit: string) => isLetter(unit.charCodeAt(0)) || "'-\u2019".includes(unit)
const startsCapital = (word: string) => isCapital(word.charCodeAt(0))

/** Whether a word is in a list; the first of two with a dash counts. */
function isKnown(word: string, names: ReadonlySet<string>): boolean {
  const dash = word.indexOf('-', 1)
  const name = dash === -1 ? word : word.slice(0, dash)
  const isRare = name.split('').some((unit) => unit.charCodeAt(0) >= 0x250)
  const plain = plainly(name)
  if (isRare && (name.length < 3 || name.length > 20 || !/^[a-z]+$/i.test(plain))) return false
  if (name.startsWith('-')) return false
  if (plain.length < 3 && !/^[A-Za-z][a-z]$/.test(isRare ? plain : name)) return false
  return names.has(plain.toLowerCase())
}

/** Letters are compared one by one, so that none becomes two. */
const endsLikeFamily = (word: string) => {
  const folded = word
    .split('')
    .map((unit) => {
      const plain = unit.charCodeAt(0) < 0x530 ? unit.normalize('NFD').replace(/\p{Mn}/gu, '') : unit
      return plain.length === 1 && plain.toLowerCase().length === 1 ? plain.toLowerCase() : unit
    })
    .join('')
  return FAMILY_ENDINGS.some((ending) => folded.length >= ending.length + 2 && folded.endsWith(ending))
}
const isAllCapital = (word: string) =>
  word.length > 1 && word.split('').every((unit) => !isLetter(unit.charCodeAt(0)) || startsCapital(unit))

interface Word {
  readonly text: string
  /** What is between it and the word before, and between it and the next. */
  readonly before: string
  readonly behind: string
}

/** What words in small letters are. */
function plainLookAtSmall(value: string): Found {
  const [first = '', ...others] = value.split(' ')
  if (/[ .,]/.test(value) && PARTICLE_WORDS.includes(first.split(/[.,]/)[0] as string)) {
    const at = [first, ...others].findIndex((word) => !PARTICLE_WORDS.includes(word))
    const rest = [first, ...others].slice(at).join(' ')
    return at > 0 && startsCapital(rest) ? plainLook(rest) : NO
  }
  if (![...first].every(isPart)) return NO
  if (others.length === 0) return isKnown(first, FIRSTS) || isKnown(first, FAMILIES) ? FORM : NO
  const [second = ''] = others
  const areTwo = others.length === 1 && second !== '' && [...second].every(isPart)
  return areTwo && isKnown(first, FIRSTS) && isKnown(second, FAMILIES) ? MATCH : NO
}

/** What is a name, written in the plainest way. */
function plainLook(value: string): Found {
  if (value.length < 2 || value.length > 60 || !isPart(value[0] as string)) return NO
  if (!startsCapital(value)) return plainLookAtSmall(value)
  if (!value.split('').every((unit) => isPart(unit) || ' .,'.includes(unit))) return NO
  const words = [...value.matchAll(/([ .,]*)([^ .,]+)([ .,]*)/g)].map(
    ([, , text = '', behind = ''], at, all): Word => ({ text, before: all[at - 1]?.[3] ?? '', behind })
  )
  if (words.length === 1 && words[0]?.text === value) {
    return isKnown(value, LISTED) || isKnown(value, TITLES) ? NO : FORM
  }
  const names: Word[] = []
  for (const word of words) {
    if (!startsCapital(word.text)) {
      if (!(names.length === 0 ? SMALL_TITLE_WORDS : PARTICLE_WORDS).includes(word.text)) return NO
    } else if (names.length > 0 || !isKnown(word.text, TITLES)) {
      if (names.length > 0 && NO_PERSON_WORDS.includes(word.text)) return NO
      names.push(word)
    }
  }
  if (names.length === 0 || names.length > 5) return NO
  return names.length > 1 && areName(names, words) ? MATCH : FORM
}

/** Whether there is a first name in its place, or initials. */
function areName(names: readonly Word[], words: readonly Word[]): boolean {
  const [first, second] = names as [Word, Word]
  if (isKnown(first.text, FIRSTS)) return true
  if (names.some((name) => name !== first && name.before.includes(',') && isKnown(name.text, FIRSTS))) return true
  const isFamily =
    isKnown(first.text, FAMILIES) ||
    endsLikeFamily(first.text) ||
    (isAllCapital(first.text) && !isCapital(second.text.charCodeAt(1)))
  if (!second.before.includes(',') && isKnown(second.text, FIRSTS) && isFamily) return true
  const isInitial = ({ text, behind }: Word) => text.length === 1 && behind.startsWith('.')
  const count = names.filter(isInitial).length
  const hasComma = words.some(({ behind }) => behind.includes(','))
  const isBeside = count > 0 && names.length > count && names.length - count <= 2
  return isBeside && (hasComma || !isInitial(names.at(-1) as Word))
}

const firstName = fc.constantFrom(...FIRST_NAMES)
const familyName = fc.constantFrom(...FAMILY_NAMES)
/** A mark behind one of the letters, as one character with it or by itself. */
const accented = fc
  .tuple(firstName, fc.nat(12), fc.constantFrom('\u0301', '\u0308', '\u0327', '\u0323', "'", '\u2019'), fc.boolean())
  .map(([name, at, mark, isOne]) =>
    `${name.slice(0, at + 1)}${mark}${name.slice(at + 1)}`.normalize(isOne ? 'NFC' : 'NFD')
  )
const word = fc.oneof(
  firstName,
  familyName,
  accented,
  fc.oneof(firstName, familyName).map((name) => name.toUpperCase()),
  fc.oneof(firstName, familyName).map((name) => name.toLowerCase()),
  firstName.map((name) => name.slice(1)),
  fc.tuple(fc.constantFrom('Mac', 'Anna', 'X'), firstName).map((parts) => parts.join('')),
  fc.tuple(firstName, fc.constantFrom('Marie', 'x', '')).map((parts) => parts.join('-')),
  fc.tuple(fc.constantFrom('Xq', 'XQ', 'q'), fc.constantFrom(...FAMILY_ENDINGS)).map((parts) => parts.join('')),
  fc.constantFrom(...NO_PERSON_WORDS, ...PARTICLE_WORDS, ...TITLE_WORDS, ...SMALL_TITLE_WORDS, ...LIST_WORDS),
  fc.constantFrom(
    "O'Brien",
    'Müller',
    'Łukasz',
    'Đorđe',
    'Æsa',
    'J',
    'J',
    'Ö',
    'ANNA',
    '漢字',
    'İlker',
    'a1',
    'Петров'
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 4 })
)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', ', ', '. ', '.', ',', ' ,', '  ')), { maxLength: 7 })
  .map((parts) => parts.flat().join(''))
/** What begins with letters of another alphabet is looked at elsewhere. */
const isElsewhere = (value: string) => {
  const code = value.charCodeAt(0)
  return (code >= 0x370 && code <= 0x52f) || code >= 0x2e80
}

describe('names of persons', () => {
  it('are what they are by the plain rule', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(text, fc.boolean(), (value, isTrimmed) => {
        const looked = isTrimmed ? value.trim() : value
        fc.pre(!isElsewhere(looked.replace(/^(?:[a-z]+ )+/, '')))
        const found = personName.look(looked)
        seen.add(found)
        assert.equal(found, plainLook(looked), JSON.stringify(looked))
      }),
      { seed: 1, numRuns: 10_000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM, MATCH])
  })

  it('may have each first name that is known, and no word that persons do not have', () => {
    for (const name of FIRST_NAMES) assert.equal(personName.look(`${name} Xyz`), MATCH, name)
    for (const name of FIRST_NAMES) assert.equal(personName.look(`${name}xq Xyz`), FORM, name)
    for (const name of FAMILY_NAMES) assert.equal(personName.look(`${name} Anna`), MATCH, name)
    for (const name of NO_PERSON_WORDS) assert.equal(personName.look(`Anna ${name}`), NO, name)
    for (const name of LIST_WORDS) assert.equal(personName.look(name), NO, name)
  })

  it('are known in each of the ways to write them', () => {
    const cases: [Found, string][] = [
      [MATCH, 'PEREIRA Beatriz'],
      [MATCH, 'NOWAK ANNA'],
      [MATCH, 'Kowalski Jan'],
      [MATCH, 'Łukasz Xyz'],
      [MATCH, 'C. Visser'],
      [MATCH, 'J. R. van den Berg'],
      [MATCH, 'Visser, C.'],
      [MATCH, 'Dr. med. Anna Xyz'],
      [MATCH, 'de Vries, Jan'],
      [MATCH, 'beatriz pereira'],
      [FORM, 'van der Berg'],
      [FORM, 'beatriz'],
      [FORM, 'Desk Anna'],
      [FORM, 'DESK ANNA'],
      [FORM, 'Acme B.V.'],
      [NO, 'will be done'],
      [NO, 'pump'],
      [NO, 'Active']
    ]
    for (const [found, value] of cases) assert.equal(personName.look(value), found, value)
  })
})
