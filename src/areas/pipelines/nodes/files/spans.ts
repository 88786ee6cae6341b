const NEW_LINE = Buffer.from('\n')

/** What is kept of a window. */
export class Spans {
  readonly #borders: number[] = []
  /** Bytes of all records, with a line feed after each. */
  bytes = 0
  /** Whether all is kept as it is. */
  isWhole = true

  /** A record; `isAsIs` where a line feed follows it there too. */
  add(from: number, to: number, isAsIs: boolean): void {
    this.bytes += to - from + 1
    this.isWhole &&= isAsIs
    if (isAsIs && this.#borders.at(-1) === -from - 1) this.#borders[this.#borders.length - 1] = -(to + 1) - 1
    else this.#borders.push(from, isAsIs ? -(to + 1) - 1 : to)
  }

  of(text: Buffer): Buffer {
    const pieces: Buffer[] = []
    for (let i = 0; i < this.#borders.length; i += 2) {
      const [from, to] = [this.#borders[i] as number, this.#borders[i + 1] as number]
      if (to < 0) pieces.push(text.subarray(from, -to - 1))
      else pieces.push(text.subarray(from, to), NEW_LINE)
    }
    return Buffer.concat(pieces)
  }
}
