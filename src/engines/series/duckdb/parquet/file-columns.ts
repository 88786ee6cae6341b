import { closeSync, fstatSync, openSync } from 'node:fs'
import { SeriesError } from '../../errors.ts'
import { NS_PER_DAY } from '../../parse/points.ts'
import { type FileSums, requireSum } from './file-sums.ts'
import { type Footer, type RowGroup, readFooter } from './footer.ts'
import { NUMBER_KINDS, type NumberColumn, type NumberKind, numbersOf } from './numbers.ts'
import type { PageCache } from './page-cache.ts'
import { type Chunk, readChunk } from './pages.ts'
import { type Text, type TextColumn, textsOf } from './texts.ts'

const BYTE_ARRAY = 6

/** A file and what is needed to read it. Without checksums it is read unchecked. */
export interface FileSource {
  readonly path: string
  readonly day: number
  readonly cache: PageCache
  readonly sums: FileSums | undefined
}

export type NumberName = 'id' | 'time' | 'value' | 'quality'

/** The columns of a file by name, read row group by row group and kept in the cache. */
export class FileColumns {
  readonly path: string
  readonly footer: Footer
  readonly #fd: number
  readonly #kinds: Readonly<Record<NumberName, NumberKind>>
  readonly #cache: PageCache
  readonly #sums: FileSums | undefined
  readonly #firstKey: number
  readonly #keyCount: number

  private constructor({ path, day, cache, sums }: FileSource, fd: number) {
    this.path = path
    this.footer = readFooter(fd, fstatSync(fd).size, sums && ((bytes) => requireSum(bytes, sums.footer)))
    this.#fd = fd
    this.#sums = sums
    const time = NUMBER_KINDS.int64Since(BigInt(day) * BigInt(NS_PER_DAY))
    this.#kinds = { id: NUMBER_KINDS.int32, time, value: NUMBER_KINDS.double, quality: NUMBER_KINDS.int32 }
    this.#cache = cache
    this.#keyCount = this.footer.groups.length * this.footer.columns.length
    this.#firstKey = cache.reserve(this.#keyCount)
  }

  static open(source: FileSource): FileColumns {
    let fd: number | undefined
    try {
      fd = openSync(source.path, 'r')
      const columns = new FileColumns(source, fd)
      columns.#check()
      return columns
    } catch (cause) {
      if (fd !== undefined) closeSync(fd)
      throw unreadable(source.path, '', cause)
    }
  }

  close(): void {
    this.#cache.release(this.#firstKey, this.#keyCount)
    closeSync(this.#fd)
  }

  /** Adds the names of the column and the file to an error of reading. */
  reading<T>(name: string, read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw unreadable(this.path, `column ${name} of `, cause)
    }
  }

  /** The numbers of the file from `row` on; NaN for rows without one. */
  fillNumbers(name: NumberName, out: Float64Array, row: number, count: number): void {
    this.reading(name, () =>
      this.#split(row, count, (group, at, from, length) => {
        if (this.#isEmpty(group, name)) out.fill(Number.NaN, at, at + length)
        else this.#numbers(group, name).fill(out, at, from, length)
      })
    )
  }

  /**
   * A function that reads single rows without those between; undefined where that can't be done. Rows are counted
   * from `row` on.
   */
  pick(name: NumberName, row: number, count: number): ((at: number) => number) | undefined {
    return this.reading(name, () => {
      const parts: { readonly end: number; readonly from: number; readonly at: (row: number) => number }[] = []
      let canPick = true
      this.#split(row, count, (group, done, from, length) => {
        const { at } = this.#numbers(group, name)
        if (at === undefined) canPick = false
        else parts.push({ end: done + length, from: from - done, at })
      })
      if (!canPick) return undefined
      return (at) => {
        let part = 0
        while (at >= (parts[part]?.end as number)) part += 1
        const { from, at: pick } = parts[part] as (typeof parts)[number]
        return pick(from + at)
      }
    })
  }

  /** All rows in order; one call for each run of equal values. */
  visitNumbers(name: NumberName, each: (value: number, count: number) => void): void {
    for (const group of this.footer.groups) this.#numbers(group, name).visit(each)
  }

  /** Rows without a text are left unchanged in `out`. */
  fillTexts(out: Text[], row: number, count: number): void {
    this.reading('text', () =>
      this.#split(row, count, (group, at, from, length) => {
        if (!this.#isEmpty(group, 'text')) this.#texts(group).fill(out, at, from, length)
      })
    )
  }

  /** False where it is known without reading that all values are null or 0. */
  hasAny(name: 'quality' | 'text', row: number, count: number): boolean {
    let any = false
    this.#split(row, count, (group) => {
      any ||= !this.#isEmpty(group, name)
    })
    return any
  }

  /**
   * Calls `each` for the row groups that hold these rows, with the position in the group and among the rows asked
   * for.
   */
  #split(row: number, count: number, each: (group: RowGroup, at: number, from: number, length: number) => void): void {
    if (!(row >= 0 && count >= 0 && row + count <= this.footer.rowCount)) throw new Error('it has no such rows')
    const { groups } = this.footer
    for (let i = lastStartingBy(groups, row), done = 0; done < count; i += 1) {
      const group = groups[i] as RowGroup
      const from = row + done - group.firstRow
      const length = Math.min(count - done, group.rowCount - from)
      each(group, done, from, length)
      done += length
    }
  }

  #isEmpty(group: RowGroup, name: string): boolean {
    const info = group.chunks[this.#place(name)]
    if (info === undefined || info.nullCount === info.rowCount) return true
    return name === 'quality' && info.max?.every((byte) => byte === 0) === true
  }

  #texts(group: RowGroup): TextColumn {
    return this.#cache.get(this.#key(group, 'text'), () => textsOf(this.#read(group, 'text')))
  }

  #numbers(group: RowGroup, name: NumberName): NumberColumn {
    return this.#cache.get(this.#key(group, name), () => numbersOf(this.#read(group, name), this.#kinds[name]))
  }

  #read(group: RowGroup, name: string): Chunk {
    const place = this.#place(name)
    const info = group.chunks[place]
    if (info === undefined) throw new Error('there is none')
    const sum = this.#sums?.chunk(group.index, place, this.footer.columns.length)
    return readChunk(this.#fd, info, sum === undefined ? undefined : (packed) => requireSum(packed, sum))
  }

  #key(group: RowGroup, name: string): number {
    return this.#firstKey + group.index * this.footer.columns.length + this.#place(name)
  }

  #place(name: string): number {
    return this.footer.columns.findIndex((column) => column.name === name)
  }

  #check(): void {
    for (const name of ['id', 'time', 'value']) if (this.#place(name) < 0) throw new Error(`it has no column ${name}`)
    for (const { name, type, nanoseconds } of this.footer.columns) {
      const expected = name in this.#kinds ? this.#kinds[name as NumberName].type : BYTE_ARRAY
      if (type !== expected || nanoseconds !== (name === 'time')) throw new Error(`its column ${name} has another type`)
    }
  }
}

/**
 * An error of the system such as too many open files is no damage; bytes that can't be read are, and so is a missing
 * file: no file is removed before its last reader is done.
 */
export function unreadable(path: string, what: string, cause: unknown): SeriesError {
  const { message, syscall, code } = (
    cause instanceof Error ? cause : new Error(String(cause))
  ) as NodeJS.ErrnoException
  const isDamage = syscall === undefined || code === 'EIO' || code === 'ENOENT'
  return new SeriesError(isDamage ? 'damaged' : 'failed', `can't read ${what}${path}: ${message}`, { path }, cause)
}

function lastStartingBy(groups: readonly RowGroup[], row: number): number {
  let from = 0
  let to = groups.length
  while (to - from > 1) {
    const middle = (from + to) >>> 1
    if ((groups[middle] as RowGroup).firstRow <= row) from = middle
    else to = middle
  }
  return from
}
