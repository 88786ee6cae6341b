import type { StreamValue } from '../../index.ts'
import type { Field, FieldColumn } from '../fields.ts'

/** How records lie in a file. What is wrong with a file as a whole is a `FileFault`. */
export interface FileFormat {
  /** The fields of its first records. */
  fieldsOf(file: FileInput): Promise<Field[]>
  /** The records whose row is greater than `after`, in order, as columns. */
  blocks(file: FileInput, columns: readonly FieldColumn[], after: number): AsyncIterable<Block>
}

export interface FileInput {
  readonly path: string
  /** What is in it, unpacked. */
  bytes(): AsyncIterable<Uint8Array>
  /** A copy on this machine, for formats that are not read from the beginning to the end; it is kept until the next. */
  saved(): Promise<string>
}

/** Some records; a few hundred KiB of them. */
export interface Block {
  /** In which line each begins, or which record of the file it is. */
  readonly rows: readonly number[]
  /** What is odd about each; null mostly. */
  readonly odd: readonly (string | null)[]
  /** One array per column. */
  readonly values: readonly (readonly StreamValue[])[]
}

/** What is wrong with a file, in words that hold nothing of what is in it. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Collects the records of a block. */
export class BlockMaker {
  readonly rows: number[] = []
  readonly odd: (string | null)[] = []
  readonly values: StreamValue[][]

  constructor(columns: number) {
    this.values = Array.from({ length: columns }, () => [])
  }

  /** A record in which nothing could be read so far; the answer is its place in the columns. */
  add(row: number, odd: string | null): number {
    this.rows.push(row)
    this.odd.push(odd)
    for (const column of this.values) column.push(null)
    return this.rows.length - 1
  }
}

/** Names that an odd record tells, and how much of each. */
const MAX_NAMED = 5
const MAX_NAME_CHARS = 100

/** Fields that have no place, in words; null where there are none. */
export function withoutPlace(names: readonly string[], what = 'fields that no column is for'): string | null {
  if (names.length === 0) return null
  const told = names.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_CHARS))
  return `${what}: ${told.join(', ')}`
}
