import type { Clock } from '../../../clock.ts'
import { SourceError } from '../../errors.ts'
import type { StreamChunk, StreamRead } from '../../index.ts'
import type { Entry, StreamEntry } from '../entry.ts'
import { streamOf } from '../requests.ts'
import type { Scope } from '../template/template.ts'
import { boundOf, latest } from './bounds.ts'
import { chainOf, type Link, parentNames } from './chain.ts'
import { foundColumns, Rows, toldColumns } from './columns.ts'
import { shifted } from './durations.ts'
import { markOf, startOf } from './marks.ts'
import { type ListPosition, type Position, parsePosition, positionText, START } from './position.ts'
import { Sift } from './sift.ts'
import type { Mark } from './slices.ts'
import { type WalkNeeds, walked } from './walk.ts'

/**
 * A chunk gets no more rows once it holds about this much. It is little, because whoever took the last one of a page holds it
 * until the next page is there, which most readers wait for most of the time.
 */
const MAX_BYTES = 64 << 10

/** Reads a stream of an entry: all of it, or what is new since a position. */
export class Reading {
  readonly #stream: StreamEntry
  readonly #chain: readonly Link[]
  readonly #needs: WalkNeeds & { readonly clock: Clock }
  readonly #isIncremental: boolean
  /** From where on somebody wants records; undefined for all. */
  readonly #bound: Mark | undefined
  #rows: Rows | undefined
  #left: number
  #position: Position
  /** By a cursor, a chunk waits until it is known whether more follows: the position of the last one is that all is read. */
  #waiting: StreamChunk | undefined

  constructor(entry: Entry, request: StreamRead, needs: WalkNeeds & { readonly clock: Clock }) {
    this.#stream = streamOf(entry, request.stream)
    this.#chain = chainOf(entry, request.stream, needs.scope)
    this.#needs = { ...needs, isAhead: request.limit === undefined }
    this.#isIncremental = request.cursor !== undefined
    const typeOf = (column: string) => request.known?.find(({ name }) => name === column)?.type ?? 'text'
    this.#bound = latest((request.where ?? []).map((one) => boundOf(this.#stream, one, typeOf(one.column))))
    this.#left = request.limit ?? Number.POSITIVE_INFINITY
    this.#position = this.#startingAt(request.cursor)
    const parents = parentNames(this.#chain)
    const columns = toldColumns(this.#stream, parents) ?? request.known
    if (columns !== undefined) this.#rows = new Rows(columns)
  }

  async *chunks(): AsyncGenerator<StreamChunk> {
    const isResumed = this.#position.run !== undefined
    try {
      yield* this.#run()
      // What was under way has come to its end; what is new since then comes now.
      if (isResumed && this.#left > 0) yield* this.#run()
    } catch (error) {
      // What was read is good, whatever came after it; and who has enough need not know of that.
      if (this.#needs.signal.aborted) throw error
      if (this.#waiting !== undefined) yield this.#waiting
      if (this.#left > 0) throw error
      return
    }
    if (this.#waiting !== undefined) yield this.#waiting
  }

  #startingAt(cursor: StreamRead['cursor']): Position {
    if (cursor === undefined) return START
    const own = this.#stream.cursor
    if (own === undefined) throw new SourceError('bad_request', 'This stream has nothing that reading can go on by')
    if (cursor.column !== own.field) throw new SourceError('bad_request', `Reading can go on by ${own.field} only`)
    return cursor.after === null ? START : parsePosition(cursor.after, (value) => markOf(value, own))
  }

  /** One way through all that there is. */
  async *#run(): AsyncGenerator<StreamChunk> {
    const { run, max } = this.#position
    const endMs = run?.endMs ?? this.#needs.clock.now()
    const sift = new Sift(this.#stream, this.#position, this.#isIncremental, endMs)
    const parents = new Set(run?.parents)
    const walk = {
      chain: this.#chain,
      since: this.#since(max),
      strangers: this.#strangers(max),
      endMs,
      lists: run?.lists ?? []
    }
    for await (const page of walked(walk, this.#needs)) {
      sift.enter(page.slice)
      if (page.parentHash !== undefined) parents.add(page.parentHash)
      const rows = this.#rowsFor(page.records, page.parent)
      for (let index = page.done; index < page.records.length; index++) {
        const record = page.records[index]
        if (record === undefined || !sift.isNew(record, page.parent, page.isStranger)) continue
        if (this.#left <= 0) return
        rows?.add(record, page.parent)
        this.#left -= 1
        const isFull = rows !== undefined && rows.bytes >= MAX_BYTES
        if (this.#left > 0 && !isFull) continue
        this.#note(sift, { endMs, parents }, page.at(index + 1))
        yield* this.#taken()
        if (this.#left <= 0 && !this.#isIncremental) return
      }
      if (this.#left <= 0) continue
      this.#note(sift, { endMs, parents }, page.at(page.records.length))
      yield* this.#taken()
    }
    if (this.#position.run !== undefined) this.#note(sift, { endMs, parents }, undefined)
    if (this.#waiting !== undefined) this.#waiting = { ...this.#waiting, position: positionText(this.#position) }
  }

  /** All is read of a parent that was not there before, however old it is. */
  #strangers(max: Mark | undefined) {
    if (!this.#isIncremental || max === undefined) return undefined
    const known = new Set(this.#position.parents)
    const since = startOf(this.#stream.cursor, this.#needs.scope)
    return { since, isKnown: (parent: string) => known.has(parent) }
  }

  /** Where the slices of a read begin: what may have changed late is read again. */
  #since(max: Mark | undefined): Mark | undefined {
    const { cursor } = this.#stream
    if (!this.#isIncremental) return latest([startOf(cursor, this.#needs.scope), this.#bound])
    if (max === undefined) return startOf(cursor, this.#needs.scope)
    return max.isTime ? { at: shifted(max.at, cursor?.back, -1), isTime: true } : max
  }

  #rowsFor(records: Parameters<typeof foundColumns>[0], parent: Scope): Rows | undefined {
    if (this.#rows === undefined && records.length > 0) {
      this.#rows = new Rows(foundColumns(records, this.#stream, parentNames(this.#chain), parent))
    }
    return this.#rows
  }

  #note(
    sift: Sift,
    { endMs, parents }: { readonly endMs: number; readonly parents: ReadonlySet<string> },
    lists: readonly ListPosition[] | undefined
  ): void {
    if (!this.#isIncremental) return
    const { mark, seen } = sift.high
    const { later } = sift
    if (lists !== undefined) {
      const run = { endMs, lists, high: mark, highSeen: seen, overlap: sift.overlap, later, parents: [...parents] }
      this.#position = { ...this.#position, run }
      return
    }
    const known = [...new Set([...parents, ...this.#position.parents])]
    this.#position = { ...this.#upTo(sift, mark, seen, endMs), later, parents: known, run: undefined }
  }

  /** Up to where all is read once a run is over. */
  #upTo(sift: Sift, mark: Mark | undefined, seen: readonly string[], endMs: number): Pick<Position, 'max' | 'seen'> {
    const { max, seen: before } = this.#position
    const isAsked = this.#stream.cursor?.since !== undefined
    // Nothing to go on by is in the records; then it is the time of the read.
    if (mark === undefined && sift.isUnmarked && isAsked) return { max: { at: endMs, isTime: true }, seen: [] }
    if (mark === undefined) return { max, seen: before }
    if (max === undefined || max.isTime !== mark.isTime || max.at < mark.at) return { max: mark, seen }
    return max.at === mark.at ? { max, seen: [...before, ...seen] } : { max, seen: before }
  }

  *#taken(): Generator<StreamChunk> {
    const rows = this.#rows
    if (rows === undefined || rows.rows === 0) return
    const chunk = { columns: rows.columns, ...rows.take(), position: undefined }
    if (this.#isIncremental) {
      if (this.#waiting !== undefined) yield this.#waiting
      this.#waiting = { ...chunk, position: positionText(this.#position) }
    } else yield chunk
  }
}
