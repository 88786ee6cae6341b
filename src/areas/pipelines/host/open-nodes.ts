import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import type { NodeFault } from '../contract/context.ts'
import { at } from '../contract/faults.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import type { Asked, DrySink, Sink } from '../contract/sink.ts'
import { StateTable, tableName } from '../contract/state-table.ts'
import type { Steps } from '../contract/steps.ts'
import { runCounted } from '../duckdb/database.ts'
import { typesOf } from '../nodes/index.ts'
import type { RunSpec } from '../protocol/run-spec.ts'
import { columnsSpokenOf, expectedAfter } from './expected-columns.ts'
import { Feed } from './feed.ts'
import { requireAllowed } from './fence.ts'
import { inOrder } from './graph.ts'
import type { HostedRunNeeds } from './hosted-run-needs.ts'
import type { Trier } from './trier.ts'
import { typesAfter } from './types-after.ts'

/** The nodes of a run, opened, with what they hold. */
export class OpenNodes {
  readonly order: readonly PipelineNode[]
  readonly types: ReadonlyMap<string, NodeType>
  readonly feeds: Feed[] = []
  readonly steps = new Map<string, Steps>()
  readonly sinks = new Map<string, Sink>()
  /** In a rehearsal. */
  readonly asked = new Map<string, Asked>()
  /** State tables by node, then by the node's name for each. */
  readonly tables = new Map<string, Map<string, StateTable>>()
  /** The columns that nodes speak of, by node. */
  spoken: ReadonlyMap<string, readonly string[]> = new Map()
  /** The one that is being opened. */
  opening: PipelineNode | undefined
  readonly #spec: RunSpec
  readonly #needs: HostedRunNeeds
  readonly #trier: Trier
  readonly #connections: DuckDBConnection[] = []
  /** The connections that sources read on, by node. */
  readonly #reading = new Map<string, DuckDBConnection>()

  constructor(spec: RunSpec, needs: HostedRunNeeds, trier: Trier) {
    this.#spec = spec
    this.#needs = needs
    this.#trier = trier
    this.order = inOrder(spec.nodes) ?? []
    this.types = typesOf(spec.nodes)
  }

  /** Answers the connection that batches are put through on. */
  async open(): Promise<DuckDBConnection> {
    const { folder, schema } = this.#needs
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const main = await this.#connect()
    await main.run(`ATTACH ':memory:' AS ${sqlName(schema)}`)
    const spoken = columnsSpokenOf(this.order, this.types, await requireAllowed(main, this.order, this.types))
    this.spoken = spoken
    for (const node of this.order) {
      this.opening = node
      try {
        const type = this.types.get(node.id)
        if (type?.role === 'source') {
          // Where dead letters alone are put through, it does not matter that a broker is away.
          if (this.#spec.replay === undefined) await this.#openSource(node, type.open, spoken)
        } else if (type !== undefined && 'open' in type) await this.#openOther(node, type, main)
      } catch (error) {
        throw at(node, error)
      }
    }
    await this.#restore()
    return main
  }

  nodeOf(id: string): PipelineNode {
    return this.order.find((node) => node.id === id) as PipelineNode
  }

  /** The connection that batches are put through on. */
  get main(): DuckDBConnection {
    return this.#connections[0] as DuckDBConnection
  }

  /** How far the statement is, from 0 to 1, by which a source reads or, where none is named, a batch is put through. */
  shareOf(sourceId?: string): number | null {
    const { percentage } = (sourceId === undefined ? this.main : (this.#reading.get(sourceId) ?? this.main)).progress
    return percentage < 0 ? null : Math.min(1, Math.round(percentage) / 100)
  }

  /** Ends the statements that run. */
  interrupt(): void {
    for (const connection of this.#connections) connection.interrupt()
  }

  async close(): Promise<void> {
    for (const feed of this.feeds) await feed.close().catch(() => {})
    for (const sink of this.sinks.values()) await sink.close().catch(() => {})
    for (const steps of this.steps.values()) await steps.close?.().catch(() => {})
    const [main] = this.#connections
    await main?.run(`DETACH DATABASE IF EXISTS ${sqlName(this.#needs.schema)}`).catch(() => {})
    for (const connection of this.#connections) connection.closeSync()
    await rm(this.#needs.folder, { recursive: true, force: true })
  }

  async #openSource(
    node: PipelineNode,
    typeOpen: Extract<NodeType, { role: 'source' }>['open'],
    spoken: ReadonlyMap<string, readonly string[]>
  ): Promise<void> {
    const database = await this.#connect()
    this.#reading.set(node.id, database)
    const context = {
      ...(await this.#contextOf(node, database)),
      position: this.#spec.checkpoint?.positions[node.id],
      ...expectedAfter(node, this.order, this.types, spoken),
      typesAfter: typesAfter(database, node, this.order, this.types),
      isBulk: [...this.types.values()].every((type) => type.role !== 'sink' || type.delivery === 'exactly-once'),
      reached: () => this.#trier.works(node)
    }
    const open = this.#needs.standIn?.(node) ?? typeOpen
    const source = await this.#trier.try(node, () => open(context as never))
    const { signal } = this.#trier
    const told = { onFault: (fault: NodeFault) => this.#trier.note(node, fault), onRead: () => this.#trier.works(node) }
    this.feeds.push(new Feed(node.id, source, signal, told))
  }

  async #openOther(
    node: PipelineNode,
    type: Exclude<Extract<NodeType, { open: unknown }>, { role: 'source' }>,
    main: DuckDBConnection
  ): Promise<void> {
    const context = {
      ...(await this.#contextOf(node, main)),
      inputIds: node.inputs,
      runNumber: this.#spec.runNumber,
      isReplay: this.#spec.replay !== undefined,
      memo: this.#spec.checkpoint?.memos[node.id],
      state: (name: string) => this.#stateOf(node, name, main)
    }
    if (type.role === 'transform') this.steps.set(node.id, await type.open(context as never))
    else if (this.#needs.rehearsal !== undefined) {
      const { sink, asked } = (await type.openDry?.(context as never)) ?? lookingSink(main)
      this.sinks.set(node.id, sink)
      this.asked.set(node.id, asked)
    } else this.sinks.set(node.id, await this.#trier.try(node, () => type.open(context as never)))
  }

  async #contextOf(node: PipelineNode, database: DuckDBConnection) {
    const { pipelineId, runId } = this.#spec
    const { gateway, reports, schema, outbound, now, elapsed } = this.#needs
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
      elapsed,
      log: (level: 'info' | 'warn' | 'error', message: string) => reports.log({ level, node: node.id, message }),
      signal: this.#trier.signal
    }
  }

  #stateOf(node: PipelineNode, name: string, database: DuckDBConnection): StateTable {
    const { gateway, schema, folder } = this.#needs
    const tables = this.tables.get(node.id) ?? new Map<string, StateTable>()
    this.tables.set(node.id, tables)
    const place = { gateway, folder: join(folder, node.id) }
    const table = tables.get(name) ?? new StateTable(tableName(schema, `${node.id}:state:${name}`), database, place)
    tables.set(name, table)
    return table
  }

  async #restore(): Promise<void> {
    for (const [nodeId, tables] of this.tables) {
      for (const [name, table] of tables) {
        const saved = this.#spec.checkpoint?.tables[nodeId]?.[name]
        if (saved !== undefined) await table.restore(saved)
      }
    }
  }

  async #connect(): Promise<DuckDBConnection> {
    const connection = await this.#needs.instance.connect()
    this.#connections.push(connection)
    // So that statements say how far they are; nothing is printed.
    await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false')
    return connection
  }
}

/** Counts, and lets go. */
function lookingSink(database: DuckDBConnection): DrySink {
  const sink: Sink = {
    async write(flow) {
      const taken = await runCounted(database, `SELECT count(*) FROM (${flow.sql})`)
      return { taken, written: taken, rejected: [] }
    },
    close: async () => {}
  }
  return { sink, asked: 'none' }
}
