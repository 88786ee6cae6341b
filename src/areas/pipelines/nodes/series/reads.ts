import { setTimeout as delay } from 'node:timers/promises'
import { parseTime } from '../../../../http/times.ts'
import { durationMs } from '../../contract/config-parts.ts'
import type { Batch, Source, SourceContext } from '../../contract/source.ts'
import { POINT_COLUMNS, SeriesSnapshot } from './snapshot.ts'
import type { SeriesSourceConfig } from './source.ts'

const DEFAULT_INTERVAL_MS = 5000

/** Nanoseconds as text. The end is kept: `now` of a run that resumes is the one at which it began. */
interface Position {
  readonly after: string
  readonly end: string
}

export class SeriesReads implements Source {
  readonly #context: SourceContext<SeriesSourceConfig>
  /** Everything up to here has been given. */
  #after: bigint
  /** Up to here and not further. */
  readonly #end: bigint
  #snapshot: SeriesSnapshot | undefined
  #snapshots = 0
  #lookAgainAtMs = 0

  constructor(context: SourceContext<SeriesSourceConfig>) {
    const { config, position, now } = context
    const { start, end } = config
    const known = position as Position | undefined
    this.#context = context
    const first = start === undefined ? MIN_NS : clamped((parseTime(start, now()) as bigint) - 1n)
    this.#after = known === undefined ? first : BigInt(known.after)
    const last = end === undefined ? MAX_NS : clamped((parseTime(end, now()) as bigint) - 1n)
    this.#end = known === undefined ? last : BigInt(known.end)
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    const { config, elapsed } = this.#context
    const isFollowing = config.follow === true
    for (;;) {
      signal.throwIfAborted()
      if (this.#snapshot === undefined && isFollowing && elapsed() < this.#lookAgainAtMs) {
        await delay(Math.max(1, Math.min(waitMs, this.#lookAgainAtMs - elapsed())), undefined, { signal })
        if (elapsed() < this.#lookAgainAtMs) return 'idle'
      }
      this.#snapshot ??= await this.#open()
      const part = this.#snapshot.take()
      if (part !== undefined) return this.#batch(this.#snapshot, part)
      await this.#snapshot.done()
      this.#snapshot = undefined
      if (!isFollowing) return 'ended'
      this.#lookAgainAtMs =
        elapsed() + (config.interval === undefined ? DEFAULT_INTERVAL_MS : durationMs(config.interval))
    }
  }

  async close(): Promise<void> {}

  #batch(snapshot: SeriesSnapshot, { sql, rows, to }: { sql: string; rows: number; to: bigint }): Batch {
    this.#after = to
    const position: Position = { after: to.toString(), end: this.#end.toString() }
    return { parts: [{ sql, rows, columns: POINT_COLUMNS }], position, release: () => snapshot.release() }
  }

  #open(): Promise<SeriesSnapshot> {
    this.#snapshots += 1
    const folder = `${this.#context.folder}/points-${this.#snapshots}`
    const { source, tags } = this.#context.config
    return SeriesSnapshot.open(this.#context, { source, tags, folder, after: this.#after, end: this.#end })
  }
}

/** The first and the last time that DuckDB can compare with, from which and up to which all points are. */
const MIN_NS = -9_223_286_400_000_000_001n
const MAX_NS = 2n ** 63n - 2n

const clamped = (ns: bigint): bigint => (ns < MIN_NS ? MIN_NS : ns > MAX_NS ? MAX_NS : ns)
