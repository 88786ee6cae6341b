import type { IncomingMessage } from 'node:http'
import type { Clock } from '../engines/clock.ts'
import { within } from '../engines/timing.ts'
import { Problem } from '../errors.ts'
import { StreamAnswer } from './route.ts'
import { Shares } from './shares.ts'

export const EVENT_STREAM = 'text/event-stream'

const HEARTBEAT_MS = 15_000
/** A proxy that collects an answer before it passes it on would hold events back. */
const HEADERS = { 'x-accel-buffering': 'no' }

export interface ServerEvent {
  /** The id that a reader sends as `Last-Event-ID` when it reconnects. */
  readonly id?: string
  readonly event: string
  /** Sent as JSON. */
  readonly data: unknown
}

interface Needs {
  readonly clock: Clock
  readonly maxReaders: number
  /** Ends all streams. */
  readonly ending: AbortSignal
}

/**
 * Streams of events to readers that stay connected. The next event is only asked for when the reader has taken the
 * one before, so nothing piles up for a slow reader. Whoever may not go on reading is told why by the last event, `ended`.
 */
export class EventStreams {
  readonly #needs: Needs
  readonly #shares: Shares

  constructor(needs: Needs) {
    this.#needs = needs
    this.#shares = new Shares(needs.maxReaders)
  }

  /** `follow` stops when its signal aborts, also while it waits. */
  open(
    request: IncomingMessage,
    reader: string,
    follow: (signal: AbortSignal) => AsyncIterable<ServerEvent>
  ): StreamAnswer {
    const { clock, ending } = this.#needs
    this.#take(reader)
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    const { socket } = request
    leaving.signal.addEventListener('abort', () => {
      this.#shares.giveBack(reader)
      socket.off('close', leave)
      ending.removeEventListener('abort', leave)
    })
    socket.once('close', leave)
    ending.addEventListener('abort', leave)
    if (socket.destroyed || ending.aborted) leave()
    const events = follow(leaving.signal)
    const refuse = (why: Problem) => leaving.abort(why)
    return new StreamAnswer(`${EVENT_STREAM}; charset=utf-8`, frames(events, clock, leaving), HEADERS, refuse)
  }

  #take(reader: string): void {
    const taken = this.#shares.take(reader)
    const headers = { 'retry-after': '10' }
    if (taken === 'full') {
      const detail = `${this.#needs.maxReaders} readers follow already; try again when one has left.`
      throw new Problem('overloaded', { detail, headers })
    }
    if (taken === 'share') {
      const detail = `You follow ${this.#shares.heldBy(reader)} already; close some of them, the others are for others.`
      throw new Problem('too_many_at_once', { detail, headers, repeated: true })
    }
  }
}

async function* frames(events: AsyncIterable<ServerEvent>, clock: Clock, leaving: AbortController) {
  const iterator = events[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<ServerEvent>> | undefined
  try {
    // Opens the stream for the reader before there is an event.
    yield ':\n\n'
    while (!leaving.signal.aborted) {
      next ??= iterator.next()
      const came = await within(clock, HEARTBEAT_MS, next, () => undefined)
      if (leaving.signal.aborted) break
      if (came === undefined) yield ':\n\n'
      else if (came.done) return
      else {
        next = undefined
        yield frameOf(came.value)
      }
    }
    if (leaving.signal.reason instanceof Problem) yield endedBy(leaving.signal.reason)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    yield endedBy(error)
  } finally {
    leaving.abort()
    await iterator.return?.()
  }
}

const endedBy = ({ code, detail }: Problem): string => frameOf({ event: 'ended', data: { code, detail } })

function frameOf({ id, event, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
