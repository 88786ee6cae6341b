import type { ServerResponse } from 'node:http'
import type { FileSlice } from '../engines/objects/index.ts'

const LANES = 4
const LANE_BYTES = 2 * 1024 * 1024
const SMALL_BYTES = 64 * 1024
const BUFFERS = 2
/** A reader that lets two megabytes wait for this long gains nothing from a lane. */
const SLOW_MS = 500

type Buffers = readonly Buffer[]

/** Sets of large buffers that are used again: reading into new ones takes longer than reading. Made when first needed. */
const lanes: Buffers[] = []
let lanesMade = 0

/**
 * Sends part of a file: while one buffer goes out the next is filled. The few fastest readers get large buffers, so that
 * many slow ones do not take much memory. A reader that hangs up ends it; a file that can't be read, or is
 * damaged, ends the connection, since the answer has begun.
 */
export async function sendFile(slice: FileSlice, response: ServerResponse): Promise<void> {
  let lane = takeLane(slice.end - slice.start)
  let buffers = lane ?? smallBuffers()
  let written: Promise<void>[] = []
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  try {
    let turn = 0
    for (let position = slice.start; position < slice.end && !response.destroyed; ) {
      const slot = turn++ % BUFFERS
      const waitedMs = await timed(Promise.race([written[slot], gone]))
      if (lane !== undefined && waitedMs > SLOW_MS) {
        await Promise.race([Promise.all(written), gone])
        giveBack(lane)
        lane = undefined
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
    // Whatever the connection still held of the buffers, it is done with it once it is closed.
    if (lane !== undefined) giveBack(lane)
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

function takeLane(bytes: number): Buffers | undefined {
  if (bytes < LANE_BYTES) return undefined
  const free = lanes.pop()
  if (free !== undefined || lanesMade === LANES) return free
  lanesMade++
  return Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(LANE_BYTES))
}

function giveBack(lane: Buffers): void {
  lanes.push(lane)
}

function smallBuffers(): Buffers {
  return Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(SMALL_BYTES))
}
