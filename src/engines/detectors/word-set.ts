/** Latin, Greek and Cyrillic letters may count as others: those with accents as those without, capital ones as small ones. */
const FOLDED = 0x530

/** What a letter counts as, by its code. */
function foldedBy(fold: (letter: string) => string): Uint16Array {
  return Uint16Array.from({ length: FOLDED }, (_, code) => {
    const letter = fold(String.fromCharCode(code))
    return letter.length === 1 ? letter.charCodeAt(0) : code
  })
}

/** How words are compared: as they are written, in whatever case, or also without their accents. */
const FOLDS = {
  exact: foldedBy((letter) => letter),
  caseless: foldedBy((letter) => letter.toLowerCase()),
  plain: foldedBy((letter) =>
    letter
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
      .replace('ς', 'σ')
  )
} as const

/** For each Latin, Greek and Cyrillic letter the small one without accents. */
export const PLAIN_LETTERS = FOLDS.plain

/** Words have fewer letters than these. */
const MOST_LETTERS = 32
/** First letters are told apart by so many of their bits. */
const FIRST_LETTERS = 127

/**
 * Words that are looked for in the midst of texts. Nothing is cut out of a text for that: of most words the first letter and the length
 * tell that they are none of these, of others three letters do, and the rest are compared letter by letter.
 */
export class WordSet {
  readonly #folds: Uint16Array
  /** A bit for each length of words that begin with a letter. */
  readonly #lengths = new Uint32Array(FIRST_LETTERS + 1)
  readonly #mask: number
  /** Words with the same hash follow one another: the first of them by hash, the next by word; 0 is none. */
  readonly #first: Uint16Array
  readonly #next: Uint16Array
  /** Where the letters of each word begin. */
  readonly #starts: Uint16Array
  readonly #letters: Uint16Array

  constructor(words: readonly string[], fold: keyof typeof FOLDS) {
    this.#folds = FOLDS[fold]
    this.#mask = 2 ** Math.ceil(Math.log2(words.length * 4)) - 1
    this.#first = new Uint16Array(this.#mask + 1)
    this.#next = new Uint16Array(words.length + 1)
    this.#starts = new Uint16Array(words.length + 2)
    this.#letters = new Uint16Array(words.reduce((sum, { length }) => sum + length, 0))
    let start = 0
    for (const [at, word] of words.entries()) {
      this.#starts[at + 1] = start
      for (let place = 0; place < word.length; place++) this.#letters[start++] = this.#letter(word, place)
      this.#starts[at + 2] = start
      const first = this.#letter(word, 0)
      if (word.length >= MOST_LETTERS) throw new Error(`${word} is too long`)
      this.#lengths[first & FIRST_LETTERS] = (this.#lengths[first & FIRST_LETTERS] as number) | (1 << word.length)
      const hash = this.#hash(first, word, 0, word.length)
      this.#next[at + 1] = this.#first[hash] as number
      this.#first[hash] = at + 1
    }
  }

  /** Whether a part of a text is one of the words. In one piece, because a call for each letter takes longer than all the rest. */
  has(text: string, from: number, to: number): boolean {
    const length = to - from
    if (length >= MOST_LETTERS || length <= 0) return false
    const folds = this.#folds
    const code = text.charCodeAt(from)
    const first = code < FOLDED ? (folds[code] as number) : code
    if (((this.#lengths[first & FIRST_LETTERS] as number) & (1 << length)) === 0) return false
    let word = this.#first[this.#hash(first, text, from, to)] as number
    for (; word !== 0; word = this.#next[word] as number) {
      const start = this.#starts[word] as number
      if ((this.#starts[word + 1] as number) - start !== length) continue
      let at = 0
      for (; at < length; at++) {
        const letter = text.charCodeAt(from + at)
        if (this.#letters[start + at] !== (letter < FOLDED ? (folds[letter] as number) : letter)) break
      }
      if (at === length) return true
    }
    return false
  }

  #hash(first: number, text: string, from: number, to: number): number {
    const middle = text.charCodeAt((from + to) >> 1)
    const last = text.charCodeAt(to - 1)
    const folds = this.#folds
    const mixed = (middle < FOLDED ? (folds[middle] as number) : middle) * 31
    return (first * 961 + mixed + (last < FOLDED ? (folds[last] as number) : last) * 7 + to - from) & this.#mask
  }

  #letter(text: string, at: number): number {
    const code = text.charCodeAt(at)
    return code < FOLDED ? (this.#folds[code] as number) : code
  }
}
