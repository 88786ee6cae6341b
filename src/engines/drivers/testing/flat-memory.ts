import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { StreamChunk } from '../index.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A few chunks, and what the library below has taken in beforehand. */
const MOST_BYTES = 48 * 1024 * 1024
/** The part of a stream that is held on purpose, to know what all of it would take. */
const WEIGHED = 0.1
/** Of what the whole stream would take. Whoever held it would be far beyond that, since nine tenths of it come after the part that is weighed. */
const MOST_OF_STREAM = 0.4
const LOOKS = 20

/**
 * Whether memory stays flat while a stream is read. Its first tenth is held and weighed, then let go: the bound is a part of what all of
 * it would take by that. So a driver that holds the stream, or fetches all of it beforehand, can't pass, however small its records are.
 */
export class FlatMemory {
  readonly #expectedRows: number
  readonly #beforeBytes = heldBytes()
  #weighed: StreamChunk[] | undefined = []
  #bytesPerRow = 0
  #rows = 0
  #lookedAtRows = 0
  #mostBytes = 0

  constructor(expectedRows: number) {
    this.#expectedRows = expectedRows
  }

  add(chunk: StreamChunk): void {
    this.#rows += chunk.rows
    if (this.#weighed !== undefined) this.#weigh(this.#weighed, chunk)
    else if (this.#rows - this.#lookedAtRows >= this.#expectedRows / LOOKS) this.#look()
  }

  assertFlat(): void {
    assert.ok(this.#rows >= this.#expectedRows, `${this.#rows} rows are too few to judge by`)
    const streamBytes = this.#bytesPerRow * this.#expectedRows
    const boundBytes = Math.min(MOST_BYTES, streamBytes * MOST_OF_STREAM)
    const mostBytes = this.#mostBytes
    const said = `${mib(mostBytes)} more were held; a stream of ${mib(streamBytes)} permits ${mib(boundBytes)}`
    assert.ok(mostBytes < boundBytes, said)
  }

  #weigh(weighed: StreamChunk[], chunk: StreamChunk): void {
    weighed.push(chunk)
    if (this.#rows < this.#expectedRows * WEIGHED) return
    const withBytes = heldBytes()
    weighed.length = 0
    this.#weighed = undefined
    // The last chunk stays, because whoever reads still has it.
    this.#bytesPerRow = (withBytes - heldBytes()) / (this.#rows - chunk.rows)
    this.#look()
  }

  #look(): void {
    this.#lookedAtRows = this.#rows
    this.#mostBytes = Math.max(this.#mostBytes, heldBytes() - this.#beforeBytes)
  }
}

const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** What lies outside of the heap is let go with the collection after the one that finds it unused. */
function heldBytes(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
