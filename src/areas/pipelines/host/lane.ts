import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import type { Outbound } from '../../../engines/outbound/index.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { inOrder } from '../graph.ts'
import { NodeFault } from '../nodes/context.ts'
import { typesOf } from '../nodes/index.ts'
import type { NodeType, PipelineNode } from '../nodes/node-type.ts'
import type { Sink } from '../nodes/sink.ts'
import type { Batch, Source, SourceContext } from '../nodes/source.ts'
import type { Steps } from '../nodes/steps.ts'
import { RunBooks } from './books.ts'
import { runCounted } from './database.ts'
import { columnsSpokenOf, expectedAfter } from './expected-columns.ts'
import { at, toFault } from './faults.ts'
import { Feed } from './feed.ts'
import type { TrackedFlow } from './flows.ts'
import { imbalance } from './ledger.ts'
import { Pace } from './pace.ts'
import { Passage } from './passage.ts'
import { Replays } from './replays.ts'
import { withRetries } from './retry.ts'
import type { Replay, RunEnd, RunNeeds, RunResult, RunSpec } from './run-spec.ts'
import { StateTable, tableName } from './state-table.ts'

const CHECKPOINT_EVERY_MS = 1000
const FIRST_CHECKPOINT_AFTER_MS = 100
const AWAITED_CHECKPOINT_EVERY_MS = 50
/** Fewer records than that are not worth the statements that they cost. */
const SMALL_BATCH_ROWS = 1000
/** How long a batch that is under way when the run is stopped may take. */
const STOP_GRACE_MS = 2000

export interface LaneNeeds extends RunNeeds {
  readonly instance: DuckDBInstance
  /** A folder of the run's own, made and removed by it. */
  readonly folder: string
  /** A name in the database of the run's own. */
  readonly schema: string
  outbound(): Promise<Outbound>
  now(): number
  /** Called once all nodes are open and it runs. */
  onOpen(): void
  /** What is opened in place of a source. */
  standIn?(node: PipelineNode): ((context: SourceContext<unknown>) => Promise<Source>) | undefined
  /** A run of which nothing stays: sinks only count, and this looks on. */
  rehearsal?(node: PipelineNode, flow: TrackedFlow, database: DuckDBConnection): Promise<void>
}

/** One run of a pipeline: batch by batch from its sources to its sinks, with checkpoints in between. */
export class Lane {
  readonly books: RunBooks
  readonly #spec: RunSpec
  readonly #needs: LaneNeeds
  readonly #order: readonly PipelineNode[]
  readonly #types: ReadonlyMap<string, NodeType>
  /** Aborts everything. */
  readonly #ending = new AbortController()
  /** Ends the run after the batch that is under way. */
  readonly #stopping = Promise.withResolvers<void>()
  #isStopping = false
  readonly #connections: DuckDBConnection[] = []
  readonly #tables = new Map<string, Map<string, StateTable>>()
  readonly feeds: Feed[] = []
  readonly #steps = new Map<string, Steps>()
  readonly #sinks = new Map<string, Sink>()
  readonly #positions: Record<string, unknown>
  #publications: Checkpoint['publications']
  #epoch: number
  #committedAt: number
  #isDirty = false
  #passage: Passage | undefined
  readonly #replays = new Replays()
  readonly #pace = new Pace()
  #spoken: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(spec: RunSpec, needs: LaneNeeds) {
    this.#spec = spec
    this.#needs = needs
    this.#order = inOrder(spec.nodes) ?? []
    this.#types = typesOf(spec.nodes)
    this.books = new RunBooks(spec)
    this.#positions = { ...spec.checkpoint?.positions }
    this.#publications = spec.checkpoint?.publications ?? []
    this.#epoch = spec.checkpoint?.epoch ?? 0
    // The first comes soon, so that a run that is killed again and again gets on all the same.
    this.#committedAt = needs.now() - CHECKPOINT_EVERY_MS + FIRST_CHECKPOINT_AFTER_MS
  }

  /** Runs to the end. Rejects with a `NodeFault` where it fails; nothing that was not committed counts then. */
  async run(): Promise<RunResult> {
    try {
      const main = await this.#open()
      this.#needs.onOpen()
      await this.#publish() // what the run before had committed and perhaps not published
      return { end: await this.#loop(main), columns: this.#passage?.columns() ?? {} }
    } catch (error) {
      this.#replays.fail(toFault(error))
      if (this.#isStopping && this.#ending.signal.aborted) return { end: 'stopped', columns: {} }
      throw toFault(error)
    } finally {
      this.#ending.abort()
      await this.#close()
    }
  }

  /** Ends after the batch under way or, where that takes too long, without it. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#stopping.resolve()
    setTimeout(() => this.#interrupt(), STOP_GRACE_MS).unref()
  }

  /** Puts dead letters through again; resolves once that is committed. */
  replay(letters: readonly Replay[]): Promise<void> {
    return this.#replays.add(letters)
  }

  /** Somebody brings records to a node that waits for them. */
  feedOf(nodeId: string): Feed | undefined {
    return this.feeds.find((feed) => feed.nodeId === nodeId)
  }

  #interrupt(): void {
    this.#ending.abort()
    for (const connection of this.#connections) connection.interrupt()
  }

  async #open(): Promise<DuckDBConnection> {
    const { folder, instance, schema } = this.#needs
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const main = await this.#connect(instance)
    await main.run(`CREATE SCHEMA ${sqlName(schema)}`)
    this.#spoken = await columnsSpokenOf(main, this.#order, this.#types)
    for (const node of this.#order) await this.#openNode(node, main)
    for (const [nodeId, tables] of this.#tables) {
      for (const [name, table] of tables) {
        const saved = this.#spec.checkpoint?.tables[nodeId]?.[name]
        if (saved !== undefined) await table.restore(saved)
      }
    }
    return main
  }

  async #openNode(node: PipelineNode, main: DuckDBConnection): Promise<void> {
    const type = this.#types.get(node.id)
    try {
      if (type?.role === 'source') {
        const database = await this.#connect(this.#needs.instance)
        const context = {
          ...(await this.#contextOf(node, database)),
          position: this.#positions[node.id],
          expectedColumns: expectedAfter(node, this.#order, this.#types, this.#spoken)
        }
        const open = this.#needs.standIn?.(node) ?? type.open
        const source = await this.#retried(node, () => open(context as never))
        const onFault = (fault: NodeFault) => this.#note(node, fault)
        this.feeds.push(new Feed(node.id, source, this.#ending.signal, onFault))
        return
      }
      const context = {
        ...(await this.#contextOf(node, main)),
        inputIds: node.inputs,
        runNumber: this.#spec.runNumber,
        memo: this.#spec.checkpoint?.memos[node.id],
        state: (name: string) => this.#stateOf(node, name, main)
      }
      if (type?.role === 'sink' && this.#needs.rehearsal !== undefined) this.#sinks.set(node.id, lookingSink(main))
      else if (type?.role === 'sink')
        this.#sinks.set(node.id, await this.#retried(node, () => type.open(context as never)))
      else if (type !== undefined && 'open' in type) this.#steps.set(node.id, await type.open(context as never))
    } catch (error) {
      throw at(node, error)
    }
  }

  async #contextOf(node: PipelineNode, database: DuckDBConnection) {
    const { pipelineId, runId } = this.#spec
    const { gateway, reports, schema, outbound, now } = this.#needs
    const folder = join(this.#needs.folder, node.id)
    await mkdir(folder, { recursive: true })
    return {
      pipelineId,
      runId,
      nodeId: node.id,
      config: node.config,
      database,
      schema,
      folder,
      gateway,
      outbound,
      now,
      log: (level: 'info' | 'warn' | 'error', message: string) => reports.log({ level, node: node.id, message }),
      signal: this.#ending.signal
    }
  }

  #stateOf(node: PipelineNode, name: string, database: DuckDBConnection): StateTable {
    const { gateway, schema, folder } = this.#needs
    const tables = this.#tables.get(node.id) ?? new Map<string, StateTable>()
    this.#tables.set(node.id, tables)
    const place = { gateway, folder: join(folder, node.id) }
    const table = tables.get(name) ?? new StateTable(tableName(schema, `${node.id}:state:${name}`), database, place)
    tables.set(name, table)
    return table
  }

  async #connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
    const connection = await instance.connect()
    this.#connections.push(connection)
    return connection
  }

  async #loop(main: DuckDBConnection): Promise<RunEnd> {
    const { rehearsal } = this.#needs
    const passage = new Passage({
      order: this.#order,
      types: this.#types,
      database: main,
      schema: this.#needs.schema,
      books: this.books,
      steps: this.#steps,
      sinks: this.#sinks,
      retried: (node, work) => this.#retried(node, work),
      signal: this.#ending.signal,
      ...(rehearsal && { see: (node, flow) => rehearsal(node, flow, main) })
    })
    this.#passage = passage
    for (;;) {
      await this.#work()
      await this.#pace.wait(this.#stopping.promise)
      if (this.#isStopping) {
        await this.#checkpoint(true)
        return 'stopped'
      }
      const hasEnded = this.feeds.every((feed) => feed.hasEnded)
      const batches = new Map(this.feeds.flatMap((feed) => entryOf(feed)))
      if (batches.size > 0 || hasEnded) {
        this.#isDirty = true
        this.#epoch += 1
        for (const { nodeId } of this.feeds) {
          const batch = batches.get(nodeId)
          if (batch !== undefined) this.books.read(this.#nodeOf(nodeId), batch.rows, batch.rejected ?? [])
        }
        const ended = new Set(this.feeds.filter((feed) => feed.hasEnded).map(({ nodeId }) => nodeId))
        const beganMs = performance.now()
        await passage.put({ batches, ended, epoch: this.#epoch })
        this.#pace.took(performance.now() - beganMs, this.#isQuiet(batches))
        for (const [nodeId, batch] of batches) {
          this.#positions[nodeId] = batch.position
          await batch.release()
        }
      }
      if (this.#replays.areWaiting) await this.#putReplays(passage)
      if (hasEnded) {
        await this.#checkpoint(true)
        this.#requireBalance()
        return 'completed'
      }
      if (this.#isDue()) await this.#checkpoint(false)
    }
  }

  async #putReplays(passage: Passage): Promise<void> {
    this.#isDirty = true
    for (const { node, records } of this.#replays.take()) {
      this.#epoch += 1
      this.books.replayed(records.length)
      await passage.replay(node, records, this.#epoch)
    }
    await this.#checkpoint(false)
  }

  /** Whether there is little to do and nobody waits for it. */
  #isQuiet(batches: ReadonlyMap<string, Batch>): boolean {
    const isBusy = this.feeds.some((feed) => feed.isBehind || feed.hasEnded || feed.source.isAwaited === true)
    return !isBusy && [...batches.values()].every(({ rows }) => rows < SMALL_BATCH_ROWS)
  }

  /** Waits until there is something to do. */
  async #work(): Promise<void> {
    const waiting = this.feeds.filter((feed) => !feed.hasEnded).map((feed) => feed.ready)
    if (waiting.length === 0) return
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(() => timer.resolve(), this.#cadenceMs())
    await Promise.race([...waiting, timer.promise, this.#stopping.promise, this.#replays.waiting])
    clearTimeout(timeout)
  }

  #cadenceMs(): number {
    const isAwaited = this.feeds.some(({ source }) => source.isAwaited === true)
    return isAwaited ? AWAITED_CHECKPOINT_EVERY_MS : CHECKPOINT_EVERY_MS
  }

  #isDue(): boolean {
    return this.#needs.now() - this.#committedAt >= this.#cadenceMs()
  }

  /** Makes durable what was done since the last one, then publishes it, then tells those who wait for that. */
  async #checkpoint(last: boolean): Promise<void> {
    const { signal } = this.#ending
    const publications = [...this.#publications]
    for (const [nodeId, sink] of this.#sinks) {
      const node = this.#nodeOf(nodeId)
      const more = await this.#retried(node, async () => sink.prepare?.({ epoch: this.#epoch, last, signal }))
      publications.push(...(more ?? []))
    }
    if (!this.#isDirty && publications.length === 0 && !last) return
    this.#publications = publications
    await this.#commit()
    if (publications.length > 0) {
      await this.#publish()
      if (last) await this.#commit()
    }
    for (const { nodeId, source } of this.feeds) {
      if (this.#positions[nodeId] !== undefined) await source.committed?.(this.#positions[nodeId])
    }
  }

  async #commit(): Promise<void> {
    const tables: Record<string, Record<string, Awaited<ReturnType<StateTable['save']>>>> = {}
    for (const [nodeId, byName] of this.#tables) {
      tables[nodeId] = {}
      for (const [name, table] of byName)
        tables[nodeId][name] = await this.#retried(this.#nodeOf(nodeId), () => table.save())
    }
    const memos = Object.fromEntries([...this.#steps, ...this.#sinks].map(([id, node]) => [id, node.memo?.()]))
    for (const feed of this.feeds) this.books.figuresOf(feed.nodeId).lagMs = feed.source.lagMs?.() ?? null
    await this.#needs.reports.commit({
      checkpoint: { epoch: this.#epoch, positions: this.#positions, memos, tables, publications: this.#publications },
      ledger: this.books.ledger,
      nodes: this.books.nodes,
      deadLetters: this.books.takeDeadLetters(),
      replayed: this.#replays.underWay
    })
    this.#replays.done()
    this.#committedAt = this.#needs.now()
    this.#isDirty = false
  }

  /** Once more than once does no harm: the same file under the same key. */
  async #publish(): Promise<void> {
    const { gateway } = this.#needs
    for (const publication of this.#publications) {
      const node = this.#order.find((one) => this.#sinks.has(one.id)) as PipelineNode
      await this.#retried(node, () => gateway.publish(publication))
    }
    this.#publications = []
  }

  #requireBalance(): void {
    const missing = imbalance(this.books.ledger)
    if (missing === 0) return
    throw new NodeFault(
      'fatal',
      'ledger_unbalanced',
      `${missing} records are not accounted for; what was written stays`
    )
  }

  async #retried<T>(node: PipelineNode, work: () => Promise<T>): Promise<T> {
    const { signal } = this.#ending
    try {
      return await withRetries(work, { signal, onFault: (fault) => this.#note(node, fault) })
    } catch (error) {
      throw at(node, error)
    }
  }

  #note(node: PipelineNode, fault: NodeFault): void {
    this.books.figuresOf(node.id).errors += 1
    this.#needs.reports.log({ level: 'warn', node: node.id, message: `${fault.message} (${fault.code}); trying again` })
  }

  #nodeOf(id: string): PipelineNode {
    return this.#order.find((node) => node.id === id) as PipelineNode
  }

  async #close(): Promise<void> {
    for (const feed of this.feeds) await feed.close().catch(() => {})
    for (const sink of this.#sinks.values()) await sink.close().catch(() => {})
    for (const steps of this.#steps.values()) await steps.close?.().catch(() => {})
    const [main] = this.#connections
    await main?.run(`DROP SCHEMA IF EXISTS ${sqlName(this.#needs.schema)} CASCADE`).catch(() => {})
    for (const connection of this.#connections) connection.closeSync()
    await rm(this.#needs.folder, { recursive: true, force: true })
  }
}

function entryOf(feed: Feed) {
  try {
    const batch = feed.take()
    return batch === undefined ? [] : [[feed.nodeId, batch] as const]
  } catch (error) {
    throw at({ id: feed.nodeId }, error)
  }
}

/** Counts, and lets go. */
function lookingSink(database: DuckDBConnection): Sink {
  return {
    async write(flow) {
      const taken = await runCounted(database, `SELECT count(*) FROM (${flow.sql})`)
      return { taken, written: taken, rejected: [] }
    },
    close: async () => {}
  }
}
