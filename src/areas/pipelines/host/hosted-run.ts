import type { DuckDBConnection } from '@duckdb/node-api'
import { NodeFault } from '../contract/context.ts'
import { at, toFault } from '../contract/faults.ts'
import type { Batch } from '../contract/source.ts'
import { imbalance } from '../protocol/ledger.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { Activity, LetterPage, ReplayOrder, RunEnd, RunSpec } from '../protocol/run-spec.ts'
import { RunBooks } from './books.ts'
import { Checkpoints } from './checkpoints.ts'
import { type Feed, isSmall, rowsOf } from './feed.ts'
import type { HostedRunNeeds } from './hosted-run-needs.ts'
import { LineageNews } from './lineage-news.ts'
import { OpenNodes } from './open-nodes.ts'
import { Pace } from './pace.ts'
import { Passage } from './passage.ts'
import { putLetters } from './put-letters.ts'
import { Replays } from './replays.ts'
import { Trier } from './trier.ts'

/** How long a batch that is under way when the run is stopped may take. */
const STOP_GRACE_MS = 2000

/** A source that takes longer than this to answer is at work: one that has nothing to give says so much sooner. */
const SLOW_READ_MS = 5000

/** One run of a pipeline: batch by batch from its sources to its sinks, with checkpoints in between. */
export class HostedRun {
  readonly books: RunBooks
  readonly #needs: HostedRunNeeds
  readonly #nodes: OpenNodes
  readonly #checkpoints: Checkpoints
  /** None where nothing is read or nothing stays. */
  readonly #lineage: LineageNews | undefined
  readonly #replays: Replays
  readonly #pace = new Pace()
  readonly #trier: Trier
  /** Aborts everything. */
  readonly #ending = new AbortController()
  /** Ends the run after the batch that is under way. */
  readonly #stopping = Promise.withResolvers<void>()
  #isStopping = false
  /** Set in a run that puts dead letters through and reads nothing. */
  readonly #replay: RunSpec['replay']
  #busy: Omit<Activity, 'share'> | undefined
  #commitsSinceMs: number | undefined
  #opensSinceMs: number | undefined
  #passage: Passage | undefined

  constructor(spec: RunSpec, needs: HostedRunNeeds) {
    this.#needs = needs
    this.#replay = spec.replay
    const { letters = async () => NO_LETTERS } = needs.reports
    this.#replays = new Replays(letters, spec.replay?.order)
    this.books = new RunBooks(spec)
    this.#trier = new Trier(this.#ending.signal, this.books, needs.reports)
    this.#nodes = new OpenNodes(spec, needs, this.#trier)
    const { books } = this
    this.#lineage = spec.replay === undefined && needs.rehearsal === undefined ? this.#newsOf(spec) : undefined
    const parts = { nodes: this.#nodes, books, replays: this.#replays, trier: this.#trier, lineage: this.#lineage }
    this.#checkpoints = new Checkpoints(spec, needs, parts)
  }

  /** Runs to the end. Rejects with a `NodeFault` where it fails; nothing that was not committed counts then. */
  async run(): Promise<RunEnd> {
    try {
      this.#opensSinceMs = this.#needs.now()
      const passage = this.#passageOn(await this.#nodes.open())
      this.#opensSinceMs = undefined
      this.#passage = passage
      this.#needs.onOpen()
      await this.#checkpoints.publish() // what the run before had committed and perhaps not published
      await this.#checkpoints.requireGoOn()
      return await this.#loop(passage)
    } catch (error) {
      this.#replays.fail(toFault(error))
      if (this.#isStopping && this.#ending.signal.aborted) return 'stopped'
      throw toFault(error)
    } finally {
      this.#replays.fail(new NodeFault('transient', 'not_running', 'The pipeline does not run now'))
      this.#ending.abort()
      await this.#nodes.close()
    }
  }

  /** Ends after the batch under way or, where that takes too long, without it. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#stopping.resolve()
    const interrupt = () => {
      this.#ending.abort()
      this.#nodes.interrupt()
    }
    setTimeout(interrupt, STOP_GRACE_MS).unref()
  }

  /** Puts dead letters through again; resolves once that is committed. */
  replay(order: ReplayOrder): Promise<void> {
    return this.#replays.add(order)
  }

  /** What it is at, since the last commit at the latest. */
  get busy(): Activity | undefined {
    if (this.#busy !== undefined) {
      const nodeId = this.#passage?.busy?.id ?? this.#busy.nodeId
      return { ...this.#busy, nodeId, share: this.#nodes.shareOf() }
    }
    const { recordsRead: records } = this.books.ledger
    if (this.#opensSinceMs !== undefined) {
      const nodeId = this.#nodes.opening?.id ?? ''
      return { nodeId, what: 'opening', records, share: null, sinceMs: this.#opensSinceMs }
    }
    if (this.#commitsSinceMs !== undefined) {
      const { atNode: nodeId } = this.#checkpoints
      return { nodeId, what: 'checkpoint', records, share: null, sinceMs: this.#commitsSinceMs }
    }
    const [slow] = this.#nodes.feeds.filter((feed) => !feed.hasEnded && feed.askedForMs > SLOW_READ_MS)
    if (slow === undefined) return undefined
    const sinceMs = this.#needs.now() - slow.askedForMs
    return { nodeId: slow.nodeId, what: 'reading', records, share: this.#nodes.shareOf(slow.nodeId), sinceMs }
  }

  /** In a preview: how much of what they would refuse its sinks could tell, by node. */
  get asked(): OpenNodes['asked'] {
    return this.#nodes.asked
  }

  /** What it has counted, without the batch under way, of which only the size is told. */
  get figures(): RunFigures {
    this.books.ask(this.#nodes.feeds)
    return { ...this.books.whole, underWay: this.#busy?.records ?? 0 }
  }

  /** The feed of a source, so that records from requests can be handed to it. */
  feedOf(nodeId: string): Feed | undefined {
    return this.#nodes.feeds.find((feed) => feed.nodeId === nodeId)
  }

  #newsOf({ pipelineId, checkpoint, counted }: RunSpec): LineageNews {
    const isInterrupted = counted !== null
    const before = { given: {}, restored: Object.keys(checkpoint?.tables ?? {}) }
    const seen = (isInterrupted ? checkpoint?.columns : undefined) ?? before
    const { elapsed, reports } = this.#needs
    const { order } = this.#nodes
    return new LineageNews({
      pipelineId,
      order,
      seen,
      database: () => this.#nodes.main,
      elapsed,
      log: (line) => reports.log(line)
    })
  }

  #passageOn(database: DuckDBConnection): Passage {
    const { order, types, steps, sinks, spoken } = this.#nodes
    const { schema, rehearsal } = this.#needs
    return new Passage({
      order,
      types,
      steps,
      sinks,
      spoken,
      database,
      schema,
      books: this.books,
      retried: (node, work) => this.#trier.try(node, work),
      signal: this.#ending.signal,
      noteColumns: (nodeId, columns) => this.#lineage?.columns.see(nodeId, columns),
      ...(rehearsal && { see: (node, flow) => rehearsal(node, flow, database) })
    })
  }

  async #loop(passage: Passage): Promise<RunEnd> {
    for (;;) {
      await this.#pace.wait(this.#stopping.promise)
      for (const feed of this.#nodes.feeds) feed.resume()
      await this.#work()
      if (this.#isStopping) {
        await this.#checkpoint(true)
        return 'stopped'
      }
      const hasEnded = this.#nodes.feeds.every((feed) => feed.hasEnded)
      const batches = new Map(this.#nodes.feeds.flatMap((feed) => entryOf(feed, this.#pace.isQuiet)))
      if (this.#replays.areWaiting) await this.#putReplays(passage)
      const isLast = hasEnded && !this.#replays.areWaiting
      if (batches.size > 0 || (isLast && this.#replay?.isLast !== false)) await this.#put(passage, batches)
      await this.#checkpoints.requireGoOn()
      if (isLast) {
        await this.#checkpoint(true)
        requireBalance(this.books)
        return 'completed'
      }
      if (this.#checkpoints.isDue) await this.#checkpoint(false)
    }
  }

  async #put(passage: Passage, batches: ReadonlyMap<string, Batch>): Promise<void> {
    const checkpoints = this.#checkpoints
    checkpoints.isDirty = true
    checkpoints.epoch += 1
    for (const [nodeId, batch] of batches)
      this.books.read(this.#nodes.nodeOf(nodeId), rowsOf(batch), batch.rejected ?? [])
    const beganMs = performance.now()
    const [[nodeId = ''] = []] = batches
    const records = [...batches.values()].reduce((sum, batch) => sum + rowsOf(batch), 0)
    await this.#busyWith({ nodeId, records }, () =>
      passage.put({ batches, ended: this.#ended(), epoch: checkpoints.epoch })
    )
    this.#pace.took(performance.now() - beganMs, this.#isQuiet(batches), this.#needs.runsHere?.() ?? 1)
    for (const [nodeId, batch] of batches) {
      checkpoints.positions[nodeId] = batch.position
      await batch.release()
    }
  }

  /** Sources that give nothing more. In a replay, which opens none, that is all of them. */
  #ended(): ReadonlySet<string> {
    if (this.#replay !== undefined) {
      return new Set(this.#nodes.order.filter(({ inputs }) => inputs.length === 0).map(({ id }) => id))
    }
    return new Set(this.#nodes.feeds.filter((feed) => feed.hasEnded).map(({ nodeId }) => nodeId))
  }

  /** A page of dead letters, committed at once: those who asked for it wait, and what is done is not done again. */
  async #putReplays(passage: Passage): Promise<void> {
    const groups = await this.#replays.take()
    const { books } = this
    const nodes = this.#nodes
    const { schema } = this.#needs
    this.#checkpoints.isDirty = true
    for (const group of groups) {
      this.#checkpoints.epoch += 1
      books.replayed(group.letters.length)
      await this.#busyWith({ nodeId: group.nodeId, records: group.letters.length }, () =>
        putLetters(passage, group, { nodes, books, schema, epoch: this.#checkpoints.epoch })
      )
    }
    await this.#checkpoint(false)
  }

  async #busyWith<T>({ nodeId, records }: { nodeId: string; records: number }, work: () => Promise<T>): Promise<T> {
    const what = `batch ${this.#checkpoints.epoch}`
    this.#busy = { nodeId, what, records, sinceMs: this.#needs.now() }
    try {
      const done = await work()
      this.books.closeBatch()
      return done
    } finally {
      this.#busy = undefined
    }
  }

  async #checkpoint(last: boolean): Promise<void> {
    this.#commitsSinceMs = this.#needs.now()
    try {
      await this.#checkpoints.make(last)
    } finally {
      this.#commitsSinceMs = undefined
    }
  }

  /** Whether there is little to do and nobody waits for it. */
  #isQuiet(batches: ReadonlyMap<string, Batch>): boolean {
    const { feeds } = this.#nodes
    const isBusy = feeds.some((feed) => feed.isBehind || feed.hasEnded || feed.source.isAwaited === true)
    return !isBusy && [...batches.values()].every(isSmall)
  }

  /** Waits until there is something to do. */
  async #work(): Promise<void> {
    const waiting = this.#nodes.feeds.filter((feed) => !feed.hasEnded).map((feed) => feed.ready)
    if (waiting.length === 0) return
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(() => timer.resolve(), this.#checkpoints.cadenceMs)
    await Promise.race([...waiting, timer.promise, this.#stopping.promise, this.#replays.waiting])
    clearTimeout(timeout)
  }
}

const NO_LETTERS: LetterPage = { letters: [], next: undefined }

function requireBalance({ ledger }: RunBooks): void {
  const missing = imbalance(ledger)
  if (missing === 0) return
  const message = `${missing} records are not accounted for; what was written stays`
  throw new NodeFault('fatal', 'ledger_unbalanced', message)
}

function entryOf(feed: Feed, isQuiet: boolean) {
  try {
    const batch = feed.take(isQuiet)
    return batch === undefined ? [] : [[feed.nodeId, batch] as const]
  } catch (error) {
    throw at({ id: feed.nodeId }, error)
  }
}
