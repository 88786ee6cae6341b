import type { IncomingMessage } from 'node:http'
import { type ErrorCode, Problem } from '../errors.ts'
import { DigestCheck } from './digests.ts'
import { GrowingBody } from './growing-body.ts'
import type { Actor } from './permissions.ts'
import { isGzip } from './request-headers.ts'
import { Shares } from './shares.ts'
import { unpacked } from './unpacked.ts'

/**
 * How many bodies of the largest size may be under way at once; one caller alone gets half of that room. A packed
 * body takes the room that it needs once unpacked.
 */
const LARGEST_AT_ONCE = 12

/** A body, and whose it is. */
export interface Sent {
  readonly raw: IncomingMessage
  readonly actor: Pick<Actor, 'id'>
}

interface IntakeLimits {
  /** The largest size of one body, as it is sent. */
  readonly maxBytes: number
  /** What a caller is told whose body is larger. */
  readonly tooLarge: string
  /** The refusal while there is no room for more. */
  readonly busy: ErrorCode
  /** The refusal of a body that can't be unpacked; that of points unless given. */
  readonly packedBadly?: ErrorCode
}

/** Reads bodies whole, and turns new ones away while those under way fill the memory set aside for them. */
export class Intake {
  readonly #limits: IntakeLimits
  readonly #room: Shares

  constructor(limits: IntakeLimits) {
    this.#limits = limits
    this.#room = new Shares(limits.maxBytes * LARGEST_AT_ONCE)
  }

  /**
   * Answers what `use` makes of the body, which takes room until then. A body that says it is gzip is unpacked where
   * `unpackedTimes` is given: up to so many times the size that may be sent.
   */
  async take<T>(
    { raw, actor }: Sent,
    use: (body: Uint8Array<ArrayBuffer>) => Promise<T>,
    unpackedTimes?: number
  ): Promise<T> {
    const { maxBytes, busy, packedBadly } = this.#limits
    const announced = contentLength(raw)
    if (announced !== undefined && announced > maxBytes) throw this.#tooLarge()
    const digests = new DigestCheck(raw.headers)
    const isPacked = unpackedTimes !== undefined && isGzip(raw.headers)
    const body = new GrowingBody(isPacked ? undefined : announced)
    const sent = this.#sent(raw, digests)
    try {
      for await (const piece of isPacked ? unpacked(sent, packedBadly) : sent) {
        if (isPacked && body.length + piece.length > maxBytes * unpackedTimes) throw this.#tooMuch(unpackedTimes)
        if (this.#room.take(actor.id, piece.length) !== 'taken') {
          throw new Problem(busy, { headers: { 'retry-after': '1' } })
        }
        body.add(piece)
      }
      digests.require()
      return await use(body.finish())
    } finally {
      this.#room.giveBack(actor.id, body.length)
    }
  }

  /** The pieces of the body as they arrive; throws once it is too large. */
  async *#sent(raw: IncomingMessage, digests: DigestCheck): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0
    for await (const piece of arriving(raw)) {
      sizeBytes += piece.length
      if (sizeBytes > this.#limits.maxBytes) throw this.#tooLarge()
      digests.update(piece)
      yield piece
    }
  }

  #tooLarge(): Problem {
    return new Problem('payload_too_large', { detail: this.#limits.tooLarge })
  }

  #tooMuch(times: number): Problem {
    if (times === 1) return this.#tooLarge()
    const sizeBytes = this.#limits.maxBytes * times
    const detail = `Unpacked, a body may have ${sizeBytes} bytes, ${times} times what may be sent (MAX_WRITE_BYTES); divide this one.`
    return new Problem('payload_too_large', { detail })
  }
}

function contentLength({ headers }: IncomingMessage): number | undefined {
  const text = headers['content-length']
  return text === undefined ? undefined : Number(text)
}

/** The pieces of a body, for those who keep none of them. */
export async function* arriving(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // A request that is destroyed never ends, and its connection could not be used for another.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw new Problem('body_incomplete', { cause: error })
  }
}
