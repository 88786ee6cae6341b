import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { isCapital, isLetter } from '../chars.ts'
import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { FIRST_NAMES } from './first-names.ts'
import { NO_PERSON_WORDS, PARTICLE_WORDS, TITLE_WORDS } from './name-words.ts'
import { personName } from './person-name.ts'

const KNOWN = new Set(FIRST_NAMES.map((name) => name.toLowerCase()))
const plainly = (word: string) => word.normalize('NFD').replace(/\p{Mn}/gu, '')
const isIn = (unit: string) => isLetter(unit.charCodeAt(0)) || "'-\u2019 .,".includes(unit)

/** Whether a word is a first name that many have; the first of two with a dash counts. */
function isFirstName(word: string): boolean {
  const dash = word.indexOf('-', 1)
  const name = dash === -1 ? word : word.slice(0, dash)
  const isRare = name.split('').some((unit) => unit.charCodeAt(0) >= 0x250)
  const plain = plainly(name)
  if (isRare && (name.length < 3 || name.length > 20)) return false
  if (plain.length < 3 && !/^[A-Za-z][a-z]$/.test(isRare ? plain : name)) return false
  return KNOWN.has(plain.toLowerCase())
}

/** What is a name, written in the plainest way. */
function plainLook(value: string): Found {
  if (value.length < 2 || value.length > 60 || !isCapital(value.charCodeAt(0))) return NO
  if (!value.split('').every(isIn)) return NO
  const names: string[] = []
  let other = ''
  for (const [, between, word] of value.matchAll(/([ .,]*)([^ .,]+)/g) as Iterable<[string, string, string]>) {
    if (!isCapital(word.charCodeAt(0))) {
      if (names.length === 0 || !PARTICLE_WORDS.includes(word)) return NO
    } else if (names.length > 0) {
      if (NO_PERSON_WORDS.includes(word)) return NO
      if (between.includes(',')) other = word
      names.push(word)
    } else if (!TITLE_WORDS.includes(word)) names.push(word)
  }
  if (names.length === 0 || names.length > 5) return NO
  return names.length > 1 && (isFirstName(names[0] as string) || isFirstName(other)) ? MATCH : FORM
}

const firstName = fc.constantFrom(...FIRST_NAMES)
/** A mark behind one of the letters, as one character with it or by itself. */
const accented = fc
  .tuple(firstName, fc.nat(12), fc.constantFrom('\u0301', '\u0308', '\u0327', '\u0323', "'", '\u2019'), fc.boolean())
  .map(([name, at, mark, isOne]) =>
    `${name.slice(0, at + 1)}${mark}${name.slice(at + 1)}`.normalize(isOne ? 'NFC' : 'NFD')
  )
const word = fc.oneof(
  firstName,
  accented,
  firstName.map((name) => name.toUpperCase()),
  firstName.map((name) => name.toLowerCase()),
  firstName.map((name) => name.slice(1)),
  fc.tuple(fc.constantFrom('Mac', 'Anna', 'X'), firstName).map((parts) => parts.join('')),
  fc.tuple(firstName, fc.constantFrom('Marie', 'x', '')).map((parts) => parts.join('-')),
  fc.constantFrom(...NO_PERSON_WORDS, ...PARTICLE_WORDS, ...TITLE_WORDS),
  fc.constantFrom("O'Brien", 'Müller', 'Łukasz', 'Đorđe', 'Æsa', 'J', 'ANNA', '漢字', 'İlker', 'a1'),
  fc.string({ unit: ANY_CHARACTER, maxLength: 4 })
)
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', ', ', '. ', ',', ' ,', '  ')), { maxLength: 7 })
  .map((parts) => parts.flat().join(''))

describe('names of persons', () => {
  it('are what they are by the plain rule', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(text, fc.boolean(), (value, isTrimmed) => {
        const looked = isTrimmed ? value.trim() : value
        const found = personName.look(looked)
        seen.add(found)
        assert.equal(found, plainLook(looked), JSON.stringify(looked))
      }),
      { seed: 1, numRuns: 5000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM, MATCH])
  })

  it('may have each first name that is known, and no word that persons do not have', () => {
    for (const name of FIRST_NAMES) assert.equal(personName.look(`${name} Xyz`), MATCH, name)
    for (const name of FIRST_NAMES) assert.equal(personName.look(`${name}xq Xyz`), FORM, name)
    for (const name of NO_PERSON_WORDS) assert.equal(personName.look(`Anna ${name}`), NO, name)
  })
})
