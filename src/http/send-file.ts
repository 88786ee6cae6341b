import type { ServerResponse } from 'node:http'
import type { FileSlice } from '../engines/objects/index.ts'

const MAX_LARGE_SETS = 4
const LARGE_BYTES = 2 * 1024 * 1024
const SMALL_BYTES = 64 * 1024
const BUFFERS = 2
/** A reader that lets two megabytes wait for this long gains nothing from large buffers. */
const SLOW_MS = 500

type Buffers = readonly Buffer[]

/** Sets of large buffers that are used again: reading into new ones takes longer than reading. Made when first needed. */
const freeLargeSets: Buffers[] = []
let largeSetsMade = 0

/**
 * Sends part of a file: while one buffer goes out the next is filled. The few fastest readers get large buffers, so that
 * many slow ones do not take much memory. A reader that hangs up ends it; a file that can't be read, or is
 * damaged, ends the connection, since the answer has begun.
 */
export async function sendFile(slice: FileSlice, response: ServerResponse): Promise<void> {
  let large = takeLarge(slice.end - slice.start)
  let buffers = large ?? smallBuffers()
  let written: Promise<void>[] = []
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  try {
    let turn = 0
    for (let position = slice.start; position < slice.end && !response.destroyed; ) {
      const slot = turn++ % BUFFERS
      const waitedMs = await timed(Promise.race([written[slot], gone]))
      if (large !== undefined && waitedMs > SLOW_MS) {
        await Promise.race([Promise.all(written), gone])
        giveBack(large)
        large = undefined
        buffers = smallBuffers()
        written = []
      }
      const buffer = buffers[slot] as Buffer
      const bytes = await slice.read(buffer, position)
      position += bytes.length
      written[slot] = write(response, bytes)
    }
    await Promise.race([Promise.all(written), gone])
    response.end()
  } catch {
    response.destroy()
  } finally {
    // Once the connection is closed it no longer uses the buffers.
    if (large !== undefined) giveBack(large)
    await slice.close()
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}

async function timed(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work
  return performance.now() - startedMs
}

function takeLarge(bytes: number): Buffers | undefined {
  if (bytes < LARGE_BYTES) return undefined
  const free = freeLargeSets.pop()
  if (free !== undefined || largeSetsMade === MAX_LARGE_SETS) return free
  largeSetsMade++
  return Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(LARGE_BYTES))
}

function giveBack(large: Buffers): void {
  freeLargeSets.push(large)
}

function smallBuffers(): Buffers {
  return Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(SMALL_BYTES))
}
