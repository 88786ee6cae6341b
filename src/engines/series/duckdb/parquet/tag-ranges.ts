/** Consecutive rows of a file. */
export interface RowRange {
  readonly row: number
  readonly count: number
}

/** The rows of each tag. It takes some bytes per tag, none per row. */
export class TagRanges {
  /** Tags in the order of the file. */
  readonly ids: Int32Array
  /** The first row of each tag; the last entry is the number of rows. */
  readonly rows: Int32Array
  /** Each id with its index in `ids`, as one number, ascending. */
  readonly #byId: Float64Array

  private constructor(ids: Int32Array, rows: Int32Array) {
    this.ids = ids
    this.rows = rows
    this.#byId = Float64Array.from(ids, (id, place) => id * ids.length + place).sort()
    for (let i = 1; i < ids.length; i += 1) {
      const id = this.#idAt(i)
      if (id === this.#idAt(i - 1)) throw new Error(`its rows of id ${id} are apart`)
    }
  }

  /** Made from the ids of all rows in order, given as runs of equal ids. */
  static of(visit: (each: (id: number, count: number) => void) => void): TagRanges {
    const ids: number[] = []
    const rows: number[] = []
    let row = 0
    visit((id, count) => {
      if (Number.isNaN(id)) throw new Error('there are rows without')
      if (id !== ids.at(-1)) {
        ids.push(id)
        rows.push(row)
      }
      row += count
    })
    rows.push(row)
    return new TagRanges(Int32Array.from(ids), Int32Array.from(rows))
  }

  of(id: number): RowRange | undefined {
    const least = id * this.ids.length
    let from = 0
    let to = this.#byId.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#byId[middle] as number) < least) from = middle + 1
      else to = middle
    }
    if (from === this.#byId.length || this.#idAt(from) !== id) return undefined
    const place = (this.#byId[from] as number) - least
    const row = this.rows[place] as number
    return { row, count: (this.rows[place + 1] as number) - row }
  }

  #idAt(index: number): number {
    return Math.floor((this.#byId[index] as number) / this.ids.length)
  }
}
