import { BadFrame, long, octet, short } from './values.ts'

/** A frame is its kind, its channel, the length of what it holds, that, and this byte. */
const BEFORE = 7
const END = 0xce
/** The largest that is asked for; servers send none that is larger. */
export const MAX_FRAME_BYTES = 131_072

export const KIND = { method: 1, header: 2, body: 3, heartbeat: 8 } as const

export interface Frame {
  readonly kind: number
  readonly channel: number
  readonly content: Buffer
}

export function encodeFrame(kind: number, channel: number, content: Buffer): Buffer {
  return Buffer.concat([octet(kind), short(channel), long(content.length), content, octet(END)])
}

/** Cuts what arrives into frames. Holds no more than one frame that is not there as a whole, and what came with it. */
export class FrameCutter {
  #received: Buffer = Buffer.alloc(0)
  #at = 0

  add(bytes: Buffer): void {
    const rest = this.#received.subarray(this.#at)
    this.#received = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    this.#at = 0
  }

  /** The next frame; undefined until more has arrived. */
  next(): Frame | undefined {
    const received = this.#received
    const at = this.#at
    if (received.length - at < BEFORE) return undefined
    const length = received.readUInt32BE(at + 3)
    if (length > MAX_FRAME_BYTES) throw new BadFrame('a frame is larger than agreed')
    const end = at + BEFORE + length
    if (received.length <= end) return undefined
    if (received[end] !== END) throw new BadFrame('a frame has no end')
    this.#at = end + 1
    const [kind, channel] = [received.readUInt8(at), received.readUInt16BE(at + 1)]
    return { kind, channel, content: received.subarray(at + BEFORE, end) }
  }
}
