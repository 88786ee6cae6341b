/** Letters up to here may count as others: those with accents as those without, capital ones as small ones. */
const FOLDED = 0x250

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
  )
} as const

/**
 * Words that are looked for in the midst of texts. Nothing is cut out of a text for that: of most words the length and three letters
 * tell that they are none of these, and the others are compared letter by letter.
 */
export class WordSet {
  readonly #folds: Uint16Array
  readonly #longest: number
  readonly #mask: number
  /** Words with the same hash follow one another: the first of them by hash, the next by word; 0 is none. */
  readonly #first: Uint16Array
  readonly #next: Uint16Array
  /** Where the letters of each word begin. */
  readonly #starts: Uint16Array
  readonly #letters: Uint16Array

  constructor(words: readonly string[], fold: keyof typeof FOLDS) {
    this.#folds = FOLDS[fold]
    this.#longest = Math.max(...words.map(({ length }) => length))
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
      const hash = this.#hash(word, 0, word.length)
      this.#next[at + 1] = this.#first[hash] as number
      this.#first[hash] = at + 1
    }
  }

  /** Whether a part of a text is one of the words. */
  has(text: string, from: number, to: number): boolean {
    if (to - from > this.#longest || to <= from) return false
    let word = this.#first[this.#hash(text, from, to)] as number
    while (word !== 0) {
      if (this.#isAt(word, text, from, to)) return true
      word = this.#next[word] as number
    }
    return false
  }

  #isAt(word: number, text: string, from: number, to: number): boolean {
    const start = this.#starts[word] as number
    if ((this.#starts[word + 1] as number) - start !== to - from) return false
    for (let at = from; at < to; at++) if (this.#letters[start + at - from] !== this.#letter(text, at)) return false
    return true
  }

  #hash(text: string, from: number, to: number): number {
    const middle = this.#letter(text, (from + to) >> 1)
    const mixed = this.#letter(text, from) * 961 + middle * 31 + this.#letter(text, to - 1) * 7
    return (mixed + to - from) & this.#mask
  }

  #letter(text: string, at: number): number {
    const code = text.charCodeAt(at)
    return code < FOLDED ? (this.#folds[code] as number) : code
  }
}
