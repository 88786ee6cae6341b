import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Footer, readAt, readFooter } from './footer.ts'

const READ_BYTES = 1 << 20

/**
 * Checksums of a sealed file, kept in the index, since DuckDB writes none into its pages: of the whole file, of the
 * footer, and of each column in each row group, which is the unit of reading. They are stored as 32 bits each, in
 * this order.
 */
export class FileSums {
  readonly #sums: DataView

  constructor(bytes: Uint8Array) {
    this.#sums = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get whole(): number {
    return this.#at(0)
  }

  get footer(): number {
    return this.#at(1)
  }

  /** The checksum of a column, by the index of its row group in the file and its index in the row group. */
  chunk(group: number, column: number, columnCount: number): number {
    return this.#at(2 + group * columnCount + column)
  }

  #at(index: number): number {
    if ((index + 1) * 4 > this.#sums.byteLength) throw new Error('it has other parts than those that were written')
    return this.#sums.getUint32(index * 4, true)
  }
}

/** The checksums of a file in its present state. */
export function sumFile(path: string): Uint8Array {
  return withFile(path, (fd) => {
    let footerSum = 0
    const footer = readFooter(fd, fstatSync(fd).size, (bytes) => {
      footerSum = crc32(bytes)
    })
    const sums = [sumOf(fd), footerSum, ...chunkSums(fd, footer)]
    return new Uint8Array(Uint32Array.from(sums).buffer)
  })
}

/** What is damaged in a file, in words; undefined where nothing is. */
export function findDamage(path: string, sums: FileSums): string | undefined {
  return withFile(path, (fd) => {
    if (sumOf(fd) === sums.whole) return undefined
    try {
      const footer = readFooter(fd, fstatSync(fd).size, (bytes) => requireSum(bytes, sums.footer))
      const columns = damagedColumns(fd, footer, sums)
      return columns.length === 0 ? 'bytes that hold no points' : columns.join(', ')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
      return 'its footer, without which nothing in it can be read'
    }
  })
}

export function requireSum(bytes: Uint8Array, sum: number): void {
  if (crc32(bytes) !== sum) throw new Error('its bytes are not those that were written')
}

function damagedColumns(fd: number, { columns, groups }: Footer, sums: FileSums): string[] {
  return groups.flatMap(({ index, firstRow, rowCount, chunks }) =>
    chunks.flatMap(({ offset, sizeBytes }, place) => {
      const isSound = crc32(readAt(fd, offset, sizeBytes)) === sums.chunk(index, place, columns.length)
      return isSound ? [] : [`column ${columns[place]?.name} of rows ${firstRow} to ${firstRow + rowCount - 1}`]
    })
  )
}

function chunkSums(fd: number, { groups }: Footer): number[] {
  return groups.flatMap(({ chunks }) => chunks.map(({ offset, sizeBytes }) => crc32(readAt(fd, offset, sizeBytes))))
}

function sumOf(fd: number): number {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let sum = 0
  let position = 0
  for (;;) {
    const read = readSync(fd, buffer, 0, READ_BYTES, position)
    if (read === 0) return sum
    sum = crc32(buffer.subarray(0, read), sum)
    position += read
  }
}

function withFile<T>(path: string, read: (fd: number) => T): T {
  const fd = openSync(path, 'r')
  try {
    return read(fd)
  } finally {
    closeSync(fd)
  }
}
