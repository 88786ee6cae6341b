import { at } from '../contract/faults.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { SavedTable } from '../contract/state-table.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'
import type { RunSpec } from '../protocol/run-spec.ts'
import type { RunBooks } from './books.ts'
import type { HostedRunNeeds } from './hosted-run-needs.ts'
import type { LineageNews } from './lineage-news.ts'
import type { OpenNodes } from './open-nodes.ts'
import type { Replays } from './replays.ts'
import type { Trier } from './trier.ts'

const EVERY_MS = 1000
const FIRST_AFTER_MS = 100
const AWAITED_EVERY_MS = 50

interface Parts {
  readonly nodes: OpenNodes
  readonly books: RunBooks
  readonly replays: Replays
  readonly trier: Trier
  readonly lineage: LineageNews | undefined
}

/** Makes durable what a run has done, in steps that are there as a whole or not at all. */
export class Checkpoints {
  /** Counts batches; with the number of the run it names what they make. */
  epoch: number
  readonly positions: Record<string, unknown>
  /** Whether something was done since the last one. */
  isDirty = false
  /** The node that it is at. */
  atNode = ''
  readonly #needs: HostedRunNeeds
  readonly #parts: Parts
  #publications: Checkpoint['publications']
  #committedAt: number

  constructor({ checkpoint }: RunSpec, needs: HostedRunNeeds, parts: Parts) {
    this.#needs = needs
    this.#parts = parts
    this.epoch = checkpoint?.epoch ?? 0
    this.positions = { ...checkpoint?.positions }
    this.#publications = checkpoint?.publications ?? []
    // The first comes soon, so that a run that is killed again and again gets on all the same.
    this.#committedAt = needs.elapsed() - EVERY_MS + FIRST_AFTER_MS
  }

  /** How long it may be until the next one. */
  get cadenceMs(): number {
    const isAwaited = this.#parts.nodes.feeds.some(({ source }) => source.isAwaited === true)
    return isAwaited ? AWAITED_EVERY_MS : EVERY_MS
  }

  get isDue(): boolean {
    return this.#parts.books.areDeadLettersMany || this.#needs.elapsed() - this.#committedAt >= this.cadenceMs
  }

  /** Commits, then publishes what sinks have closed, then tells those who wait for that. `last`: nothing is held back. */
  async make(last: boolean): Promise<void> {
    const { nodes, trier } = this.#parts
    const beganMs = performance.now()
    const publications = [...this.#publications]
    for (const [nodeId, sink] of nodes.sinks) {
      this.atNode = nodeId
      const options = { epoch: this.epoch, last, signal: trier.signal }
      const more = await trier.try(nodes.nodeOf(nodeId), async () => sink.prepare?.(options))
      publications.push(...(more ?? []))
    }
    if (!this.isDirty && publications.length === 0 && !last) return
    this.#publications = publications
    await this.#commit(last)
    if (publications.length > 0) {
      await this.publish()
      if (last) await this.#commit(last)
    }
    for (const { nodeId, source } of nodes.feeds) {
      if (this.positions[nodeId] !== undefined) await source.committed?.(this.positions[nodeId])
    }
    this.#needs.reports.checkpointed?.(performance.now() - beganMs)
  }

  /**
   * Ends the run where a node says so, with what has led to it among the dead letters, and all published that was let
   * through. A preview shows it all the same.
   */
  async requireGoOn(): Promise<void> {
    if (this.#needs.rehearsal !== undefined) return
    const { nodes } = this.#parts
    for (const [nodeId, steps] of nodes.steps) {
      const fault = steps.stop?.()
      if (fault === undefined) continue
      await this.make(true)
      throw at(nodes.nodeOf(nodeId), fault)
    }
  }

  /** What is committed and perhaps not published. Once more does no harm: the same file under the same key. */
  async publish(): Promise<void> {
    const { nodes, trier } = this.#parts
    const anySink = nodes.order.find(({ id }) => nodes.sinks.has(id)) as PipelineNode
    this.atNode = anySink.id
    for (const publication of this.#publications) {
      await trier.try(anySink, () => this.#needs.gateway.publish(publication))
    }
    this.#publications = []
  }

  async #commit(last: boolean): Promise<void> {
    const { nodes, books, replays } = this.#parts
    const memos = Object.fromEntries([...nodes.steps, ...nodes.sinks].map(([id, node]) => [id, node.memo?.()]))
    books.ask(nodes.feeds)
    books.closeBatch()
    const { epoch, positions } = this
    const tables = await this.#saveTables()
    const lineage = await this.#parts.lineage?.next(last)
    const columns = this.#parts.lineage?.seen
    await this.#needs.reports.commit({
      checkpoint: { epoch, positions, memos, tables, publications: this.#publications, ...(columns && { columns }) },
      ledger: books.ledger,
      nodes: books.nodes,
      deadLetters: books.takeDeadLetters(),
      replayed: replays.underWay,
      ...(lineage && { lineage })
    })
    replays.done()
    this.#committedAt = this.#needs.elapsed()
    this.isDirty = false
  }

  async #saveTables(): Promise<Checkpoint['tables']> {
    const { nodes, trier } = this.#parts
    const saved: Record<string, Record<string, SavedTable>> = {}
    for (const [nodeId, tables] of nodes.tables) {
      this.atNode = nodeId
      const byName: Record<string, SavedTable> = {}
      for (const [name, table] of tables) byName[name] = await trier.try(nodes.nodeOf(nodeId), () => table.save())
      saved[nodeId] = byName
    }
    return saved
  }
}
