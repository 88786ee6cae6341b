import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { Clock } from '../../../engines/clock.ts'
import { Problem } from '../../../errors.ts'

/** What cannot be answered is tried again after so long: soon enough for people, and not by each of a thousand viewers. */
const FAILURE_MS = 1000
/** Failures that are none of the question, and may be gone with the next breath. */
const PASSING: ReadonlySet<string> = new Set(['overloaded', 'shutting_down', 'series_busy'])
/** Whoever was told to come back for an answer finds it for so long. */
const COME_BACK_MS = 30_000

interface Needs<V> {
  readonly clock: Clock
  readonly maxBytes: number
  sizeOf(value: V): number
}

/** An answer, with when it was begun to be read. */
export interface KeptAnswer<V> {
  readonly value: V
  readonly readAtMs: number
}

interface Entry<V> {
  readonly outcome: { readonly answer: KeptAnswer<V> } | { readonly error: unknown }
  readonly begunMs: number
  readonly endedMs: number
  /** How many were told to come back for it and have not yet: it is kept for them even where its time is over. */
  claims: number
}

interface Flight<V> {
  readonly answer: Promise<KeptAnswer<V>>
  readonly readAtMs: number
  readonly leaving: AbortController
  /** Each of those who wait, once for every time that they do. */
  readonly waiting: Set<{ readonly asker: KeptAsker }>
}

/**
 * An answer whose time is over is given on while the next one is read, so that nobody waits for what is read every few seconds:
 * for so long at most. How old it is, is told with it.
 */
const graceOf = (keepMs: number): number => Math.min(keepMs / 2, 5000)

/** A failure that took long to come about is told for as long: a question that runs out of time is not asked all the time. */
function endOf<V>({ outcome, begunMs, endedMs }: Entry<V>, keepMs: number): number {
  if ('error' in outcome) return endedMs + Math.min(keepMs, Math.max(FAILURE_MS, endedMs - begunMs))
  return begunMs + keepMs + graceOf(keepMs)
}

/** Somebody who asks, and may be told meanwhile to come back. */
export interface KeptAsker {
  readonly signal: AbortSignal
  readonly isLate: boolean
}

/** Stands for all who may come, where nobody waits. */
const NOBODY: KeptAsker = { signal: new AbortController().signal, isLate: false }

/**
 * Answers what many ask at once by asking once, and keeps it for as long as each asker says. Whoever leaves takes nothing from
 * the others; when the last one leaves, the work ends.
 */
export class Kept<V> {
  readonly #needs: Needs<V>
  readonly #entries: BoundedMap<string, Entry<V>>
  readonly #flights = new Map<string, Flight<V>>()

  constructor(needs: Needs<V>) {
    this.#needs = needs
    this.#entries = new BoundedMap(needs.maxBytes, ({ outcome }) =>
      'answer' in outcome ? needs.sizeOf(outcome.answer.value) : 1000
    )
  }

  /** `keepMs`: how old an answer may be before another one is read; 0 where only one that is being read just now will do. */
  async ask(
    key: string,
    keepMs: number,
    asker: KeptAsker,
    read: (signal: AbortSignal) => Promise<V>
  ): Promise<KeptAnswer<V>> {
    asker.signal.throwIfAborted()
    const known = this.#known(key, keepMs)
    if (known !== undefined) {
      if ('error' in known.outcome) throw known.outcome.error
      // Nobody waits for it: it is not to be left when others have waited too.
      if (this.#isOver(known, keepMs) && !this.#flights.has(key)) {
        this.#begin(key, keepMs, read).waiting.add({ asker: NOBODY })
      }
      return known.outcome.answer
    }
    const flight = this.#flights.get(key) ?? this.#begin(key, keepMs, read)
    return this.#wait(key, flight, asker)
  }

  /** When what is being read now was begun; undefined where nothing is. */
  readingSince(key: string): number | undefined {
    return this.#flights.get(key)?.readAtMs
  }

  #known(key: string, keepMs: number): Entry<V> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const nowMs = this.#needs.clock.elapsed()
    const isOver = nowMs >= endOf(entry, keepMs)
    const isWanted = entry.claims > 0 && nowMs < entry.endedMs + COME_BACK_MS
    if (isOver && isWanted) entry.claims--
    if (isOver && entry.claims === 0) this.#entries.delete(key)
    else this.#entries.set(key, entry) // the newest, because it is used
    return isOver && !isWanted ? undefined : entry
  }

  /** Where nothing is kept, nothing is read ahead either. */
  #isOver({ begunMs }: Entry<V>, keepMs: number): boolean {
    return keepMs > 0 && this.#needs.clock.elapsed() >= begunMs + keepMs
  }

  #begin(key: string, keepMs: number, read: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const { clock } = this.#needs
    const leaving = new AbortController()
    const begunMs = clock.elapsed()
    const readAtMs = clock.now()
    const keep = (outcome: Entry<V>['outcome']) => {
      this.#land(key, flight)
      if (leaving.signal.aborted) return
      const claims = [...flight.waiting].filter(({ asker }) => asker.isLate).length
      if (keepMs > 0 || claims > 0) this.#entries.set(key, { outcome, begunMs, endedMs: clock.elapsed(), claims })
    }
    const work = async () => {
      try {
        const answer = { value: await read(leaving.signal), readAtMs }
        keep({ answer })
        return answer
      } catch (error) {
        if (error instanceof Problem && PASSING.has(error.code)) this.#land(key, flight)
        else keep({ error })
        throw error
      }
    }
    // A turn later, so that `flight` is there.
    const flight: Flight<V> = { answer: Promise.resolve().then(work), readAtMs, leaving, waiting: new Set() }
    flight.answer.catch(() => {}) // those who wait see it
    this.#flights.set(key, flight)
    return flight
  }

  async #wait(key: string, flight: Flight<V>, asker: KeptAsker): Promise<KeptAnswer<V>> {
    const { signal } = asker
    const place = { asker }
    flight.waiting.add(place)
    const left = Promise.withResolvers<never>()
    const leave = () => left.reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([flight.answer, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      flight.waiting.delete(place)
      if (flight.waiting.size === 0 && this.#flights.get(key) === flight) {
        this.#land(key, flight)
        flight.leaving.abort()
      }
    }
  }

  #land(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}
