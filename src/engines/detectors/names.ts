import type { Kind } from './kinds.ts'
import { ABOUT_WORDS, JOINED_WORDS, SMALL_WORDS, TIME_WORDS } from './terms/about.ts'
import { EMAIL, PHONE } from './terms/contact.ts'
import { BIRTH_DATE, NATIONAL_ID } from './terms/identity.ts'
import { IBAN, PAYMENT_CARD } from './terms/money.ts'
import { IP_ADDRESS, MAC_ADDRESS } from './terms/network.ts'
import { PERSON_NAME } from './terms/persons.ts'
import { COORDINATES, POSTAL_ADDRESS } from './terms/places.ts'
import { SECRET } from './terms/secret.ts'
import type { Terms } from './terms/terms.ts'
import { plainWordsOf, wordsOf } from './words.ts'

/** What the name of a column says about a kind: for it, against it, or nothing. */
export type NameSays = 'for' | 'against' | 'nothing'

const TERMS: Readonly<Record<Kind, Terms>> = {
  email: EMAIL,
  phone: PHONE,
  'payment-card': PAYMENT_CARD,
  iban: IBAN,
  'national-id': NATIONAL_ID,
  'person-name': PERSON_NAME,
  'postal-address': POSTAL_ADDRESS,
  'birth-date': BIRTH_DATE,
  'ip-address': IP_ADDRESS,
  'mac-address': MAC_ADDRESS,
  coordinates: COORDINATES,
  secret: SECRET
}

/** Words in a row; of the last what it begins with may be enough, or of one word what it ends with. */
interface Phrase {
  readonly words: readonly string[]
  readonly isBeginning: boolean
  readonly isEnding: boolean
}

const FIRST_UNDIVIDED = 0x2e80
const FIRST_JAMO = 0x1100
const LAST_JAMO = 0x11ff

/** Whether a word is of a language that writes without blanks: Chinese, Japanese, and Korean, whose letters are taken apart by now. */
function isUndivided(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= FIRST_UNDIVIDED || (code >= FIRST_JAMO && code <= LAST_JAMO)
}

function phrasesOf(terms: readonly string[] = []): Phrase[] {
  return terms.flatMap((text) =>
    text.split(',').flatMap((term) => {
      const isBeginning = term.trim().endsWith('*')
      const isStarred = term.trim().startsWith('*')
      return plainWordsOf(term.replace('*', '')).map((words) => ({
        words,
        isBeginning,
        isEnding: isStarred || isUndivided(words[0] as string)
      }))
    })
  )
}

const wordSetOf = (terms: readonly string[] = []): Set<string> =>
  new Set(terms.flatMap((text) => text.split(',').flatMap((term) => plainWordsOf(term).flat())))

interface Known {
  readonly for: readonly Phrase[]
  readonly against: readonly Phrase[]
  readonly lastly: readonly Phrase[]
  readonly firstly: readonly Phrase[]
  readonly alone: readonly Phrase[]
  readonly beside: ReadonlySet<string>
}

const knownOf = (terms: Terms): Known => ({
  for: phrasesOf(terms.for),
  against: phrasesOf(terms.against),
  lastly: phrasesOf(terms.lastly),
  firstly: phrasesOf(terms.firstly),
  alone: phrasesOf(terms.alone).map((phrase) => ({ ...phrase, isEnding: false })),
  beside: wordSetOf([
    ...(terms.beside ?? []),
    ...(terms.alone ?? []),
    ...(terms.lastly ?? []),
    ...(terms.firstly ?? [])
  ])
})

const KNOWN = Object.fromEntries(
  Object.entries(TERMS).map(([kind, terms]) => [kind, knownOf(terms)])
) as unknown as Readonly<Record<Kind, Known>>

const ABOUT = new Set(ABOUT_WORDS.flatMap((word) => plainWordsOf(word).flat()))
const TIMES = new Set(TIME_WORDS)
const SMALL = new Set(SMALL_WORDS)

/** Parts that a word may be divided into are words by themselves, and not so short that they are in many others. */
const LEAST_PART = 3
const SHORT_PARTS = ['no', 'nr', 'nm', 'dt', 'kd', 'id', 'db', 'ip', 'pw']
const PARTS = new Set(SHORT_PARTS)
for (const word of [...JOINED_WORDS.flatMap((one) => plainWordsOf(one).flat()), ...ABOUT]) PARTS.add(word)
for (const known of Object.values(KNOWN)) {
  for (const { words, isEnding } of [...known.for, ...known.against, ...known.lastly, ...known.alone]) {
    const word = words[0] as string
    if (words.length === 1 && !isEnding && word.length >= LEAST_PART) PARTS.add(word)
  }
}
const LONGEST_PART = 20
const LONGEST_DIVIDED = 40

/** The words that a word is written of in one, as few as there can be: `custphone` is cust and phone. Itself, where there are none. */
function divided(word: string): readonly string[] {
  if (word.length > LONGEST_DIVIDED || PARTS.has(word) || isUndivided(word)) return [word]
  const best: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= word.length; end++) {
    for (let start = Math.max(0, end - LONGEST_PART); start < end; start++) {
      const before = best[start]
      if (before === undefined || before.length + 1 >= (best[end]?.length ?? Number.POSITIVE_INFINITY)) continue
      const part = word.slice(start, end)
      if (PARTS.has(part)) best[end] = [...before, part]
    }
  }
  return best[word.length] ?? [word]
}

/** The words of a name: as they are, with those divided that are written in one, and of these without small words such as in `date_of_birth`. */
export type NameWords = readonly (readonly string[])[]

export function nameWordsOf(name: string): NameWords {
  const whole = wordsOf(name)
  const parts = whole.flatMap(divided)
  const ways = [whole]
  if (parts.length > whole.length) ways.push(parts)
  const others = parts.filter((word) => !SMALL.has(word))
  if (others.length > 0 && others.length < parts.length) ways.push(others)
  return ways
}

/** What the words of a name say about a kind. What is about the data, as `email_verified`, says nothing for it. */
export function nameSays(ways: NameWords, kind: Kind): NameSays {
  const known = KNOWN[kind]
  const says = (phrases: readonly Phrase[], where: Where) =>
    phrases.some((phrase) => ways.some((words) => isIn(words, phrase, where)))
  const words = ways[ways.length > 1 ? 1 : 0] as readonly string[]
  if (words[0] === 'is' || words[0] === 'has') return 'nothing'
  if (says(known.lastly, 'last')) return 'for'
  // Of a date nothing else is told, and a time of birth is one.
  const isAbout = kind !== 'birth-date' && (TIMES.has(words.at(-1) as string) || words.some((word) => ABOUT.has(word)))
  if (says(known.firstly, 'first') && !isAbout) return 'for'
  if (says(known.against, 'anywhere')) return 'against'
  const isSo = says(known.for, 'anywhere') || (says(known.alone, 'anywhere') && areBeside(words, known))
  return isSo && !isAbout ? 'for' : 'nothing'
}

const areBeside = (words: readonly string[], { beside }: Known): boolean => words.every((word) => beside.has(word))

type Where = 'anywhere' | 'first' | 'last'

function isIn(words: readonly string[], phrase: Phrase, where: Where): boolean {
  const most = words.length - phrase.words.length
  const from = where === 'last' ? Math.max(0, most) : 0
  const to = where === 'first' ? Math.min(0, most) : most
  for (let at = from; at <= to; at++) if (isAt(words, at, phrase)) return true
  return false
}

function isAt(words: readonly string[], from: number, { words: wanted, isBeginning, isEnding }: Phrase): boolean {
  return wanted.every((word, at) => {
    const own = words[from + at] as string
    if (own === word) return true
    return at === wanted.length - 1 && ((isBeginning && own.startsWith(word)) || (isEnding && own.endsWith(word)))
  })
}
