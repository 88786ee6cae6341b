import type { IncomingMessage } from 'node:http'
import { type ErrorCode, Problem } from '../errors.ts'
import { DigestCheck } from './digests.ts'
import type { Actor } from './permissions.ts'
import { Shares } from './shares.ts'

/** Bodies that may be under way at once, each of the largest size; one caller alone gets half of their room. */
const LARGEST_AT_ONCE = 8

/** A body, and whose it is. */
export interface Sent {
  readonly raw: IncomingMessage
  readonly actor: Pick<Actor, 'id'>
}

interface IntakeLimits {
  /** Of one body, as it is sent. */
  readonly maxBytes: number
  /** What to tell whose body is larger. */
  readonly tooLarge: string
  /** The refusal while there is no room for more. */
  readonly busy: ErrorCode
}

/** Reads bodies whole, and turns new ones away while those under way fill the memory set aside for them. */
export class Intake {
  readonly #limits: IntakeLimits
  readonly #room: Shares

  constructor(limits: IntakeLimits) {
    this.#limits = limits
    this.#room = new Shares(limits.maxBytes * LARGEST_AT_ONCE)
  }

  /** Answers what `use` makes of the body, which counts until then. */
  async take<T>({ raw, actor }: Sent, use: (body: Uint8Array<ArrayBuffer>) => Promise<T>): Promise<T> {
    const { maxBytes, busy } = this.#limits
    if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw this.#tooLarge()
    const digests = new DigestCheck(raw.headers)
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    try {
      for await (const chunk of arriving(raw)) {
        if (sizeBytes + chunk.length > maxBytes) throw this.#tooLarge()
        if (this.#room.take(actor.id, chunk.length) !== 'taken') {
          throw new Problem(busy, { headers: { 'retry-after': '1' } })
        }
        sizeBytes += chunk.length
        digests.update(chunk)
        chunks.push(chunk)
      }
      digests.require()
      return await use(joined(chunks, sizeBytes))
    } finally {
      this.#room.giveBack(actor.id, sizeBytes)
    }
  }

  #tooLarge(): Problem {
    return new Problem('payload_too_large', { detail: this.#limits.tooLarge })
  }
}

async function* arriving(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // A request that is destroyed never ends, and its connection could not be used for another.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw new Problem('body_incomplete', { cause: error })
  }
}

/** In memory of its own, which can be handed to another thread. */
function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(new ArrayBuffer(sizeBytes))
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
}
