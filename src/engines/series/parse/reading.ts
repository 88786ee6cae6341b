import { Tally } from './tally.ts'

/** How much of a body is read at a time: some hundredths of a second, in which nobody else is served. */
export const SLICE_BYTES = 1 << 20

/** A longer line, or point of JSON, is refused without being parsed: the result might fill the memory. */
export const MAX_POINT_BYTES = 4 << 20

/** How far the reading of a body has come. */
export class Reading {
  readonly body: Uint8Array
  readonly tally: Tally
  /** The position to go on at, and the number of the line, or point, that begins there. */
  at = 0
  line = 1
  /** Whether all of a large array is known to be JSON, so that its points may be taken. */
  isVerified = false

  constructor(body: Uint8Array, maxErrors?: number) {
    this.body = body
    this.tally = new Tally(maxErrors)
  }

  get isLarge(): boolean {
    return this.body.length > SLICE_BYTES
  }
}
