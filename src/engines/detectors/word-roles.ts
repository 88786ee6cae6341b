/** More than twice as many as any table here has words. */
const PLACE_BITS = 12
const LAST_PLACE = 2 ** PLACE_BITS - 1
const FACTOR = 31

const placeOf = (number: number): number => Math.imul(number, 0x9e3779b1) >>> (32 - PLACE_BITS)

/** The number of a word with one more letter: a word is looked up by it once all its letters have been read. */
export const withLetter = (number: number, letter: number): number => (Math.imul(number, FACTOR) + letter) | 0

/**
 * What words may be, by numbers that are made of them as they are read, so that nothing is read again. That another word has the number of one of
 * a few hundred is one chance in millions, and costs no more than a wrong word in a list.
 */
export class WordRoles {
  readonly #numbers = new Int32Array(LAST_PLACE + 1)
  readonly #roles = new Uint8Array(LAST_PLACE + 1)

  add(number: number, role: number): void {
    let place = placeOf(number)
    while (this.#roles[place] !== 0 && this.#numbers[place] !== number) place = (place + 1) & LAST_PLACE
    this.#numbers[place] = number
    this.#roles[place] = (this.#roles[place] as number) | role
  }

  /** All that a word may be; 0 where it is none of these. */
  rolesOf(number: number): number {
    for (let place = placeOf(number); this.#roles[place] !== 0; place = (place + 1) & LAST_PLACE) {
      if (this.#numbers[place] === number) return this.#roles[place] as number
    }
    return 0
  }
}
