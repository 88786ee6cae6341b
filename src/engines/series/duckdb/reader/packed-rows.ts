import type { TagType } from '../../index.ts'
import type { TagRows } from '../../query/rows.ts'

/** Rows of several tags in one buffer: passing one buffer to a thread is much faster than passing many small ones. */
export interface PackedRows {
  readonly tags: readonly { readonly tag: string; readonly type: TagType | undefined; readonly pointsRead: number }[]
  readonly lengths: Int32Array<ArrayBuffer>
  readonly columnCount: number
  /** For each tag its times, its columns and its counts. */
  readonly numbers: Float64Array<ArrayBuffer>
}

/** Whether rows have nothing but times, numbers and counts. */
export function isPlain(rows: TagRows): boolean {
  return (
    rows.counts !== undefined &&
    rows.subMsNs === undefined &&
    rows.quality === undefined &&
    rows.percentGood === undefined &&
    rows.exact.every((column) => column === undefined)
  )
}

/** Packs rows. All have to be plain, with the same number of columns, as those of one query are. */
export function packRows(all: readonly TagRows[]): PackedRows {
  const columnCount = all[0]?.columns.length ?? 0
  const lengths = Int32Array.from(all, ({ length }) => length)
  const numbers = new Float64Array(lengths.reduce((sum, length) => sum + length, 0) * (columnCount + 2))
  let at = 0
  for (const { ms, columns, counts } of all) {
    for (const column of [ms, ...columns, counts as Float64Array]) {
      numbers.set(column, at)
      at += column.length
    }
  }
  const tags = all.map(({ tag, type, pointsRead }) => ({ tag, type, pointsRead }))
  return { tags, lengths, columnCount, numbers }
}

export function unpackRows({ tags, lengths, columnCount, numbers }: PackedRows): TagRows[] {
  let at = 0
  return tags.map((facts, place) => {
    const length = lengths[place] as number
    const next = () => {
      at += length
      return numbers.subarray(at - length, at)
    }
    return {
      ...facts,
      length,
      ms: next(),
      subMsNs: undefined,
      columns: Array.from({ length: columnCount }, next),
      exact: new Array(columnCount).fill(undefined),
      counts: next(),
      quality: undefined,
      percentGood: undefined
    }
  })
}
