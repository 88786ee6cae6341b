import type { DuckDBValue } from '@duckdb/node-api'
import { sqlName } from '../../../../data/relation.ts'
import { type NodeContext, NodeFault } from '../../contract/context.ts'
import { toFault } from '../../contract/faults.ts'
import type { Sink, Wrote } from '../../contract/sink.ts'
import type { Rejected } from '../../contract/source.ts'
import type { Flow } from '../../contract/steps.ts'
import { cut } from '../../records/received.ts'

/** How records leave for a system outside. */
export interface Delivery<T> {
  readonly maxRows: number
  readonly maxBytes: number
  /** A SELECT over the records, whose rows `itemOf` understands; no two columns have the same name. */
  select(flow: Flow): string
  /** What is sent of a row; a fault where it can't be sent. */
  itemOf(row: readonly DuckDBValue[]): T | NodeFault
  bytesOf(item: T): number
  /** Sends them all. Throws a fault of the kind `records` where others may go without some of them. */
  send(items: readonly T[], part: Part): Promise<void>
  /** The record again, for people to look at. */
  recordOf(item: T): string
  close(): Promise<void>
}

export interface Part {
  readonly flow: Flow
  readonly epoch: number
  /** Counts the parts of an epoch. What is sent again after a fault that was transient has the same number. */
  readonly number: number
  readonly signal: AbortSignal
}

/** How far a flow has come, for when it is written again after a transient fault. */
interface Progress<T> {
  readonly sql: string
  /** Rows that are sent, rejected or pending. */
  read: number
  /** To be sent, in this order. */
  pending: (readonly T[])[]
  written: number
  readonly rejected: Rejected[]
}

/**
 * Sends records part by part, once all of them are known to be computable. What was sent is not sent again when the rest has
 * to be tried again, and records that the other side does not want are found by halves. After a crash the parts since the
 * last checkpoint are sent once more.
 */
export class DeliverySink<T> implements Sink {
  readonly #context: Pick<NodeContext<unknown>, 'database' | 'schema' | 'nodeId'>
  readonly #delivery: Delivery<T>
  #underWay: Progress<T> | undefined
  #epoch = -1
  #parts = 0

  constructor(context: Pick<NodeContext<unknown>, 'database' | 'schema' | 'nodeId'>, delivery: Delivery<T>) {
    this.#context = context
    this.#delivery = delivery
  }

  async write(flow: Flow, { epoch, signal }: { epoch: number; signal: AbortSignal }): Promise<Wrote> {
    if (epoch !== this.#epoch) this.#parts = 0
    if (epoch !== this.#epoch || this.#underWay?.sql !== flow.sql) this.#underWay = undefined
    this.#epoch = epoch
    this.#underWay ??= await this.#begin(flow)
    const progress = this.#underWay
    await this.#settle(progress, flow, signal)
    for await (const items of this.#parted(progress)) {
      progress.pending = [items]
      await this.#settle(progress, flow, signal)
    }
    this.#underWay = undefined
    await this.#context.database.run(`DROP TABLE IF EXISTS ${this.#table}`)
    return { taken: progress.read, written: progress.written, rejected: progress.rejected }
  }

  close(): Promise<void> {
    return this.#delivery.close()
  }

  get #table(): string {
    return `${sqlName(this.#context.schema)}.${sqlName(`${this.#context.nodeId}:sending`)}`
  }

  async #begin(flow: Flow): Promise<Progress<T>> {
    await this.#context.database.run(`CREATE OR REPLACE TABLE ${this.#table} AS ${this.#delivery.select(flow)}`)
    return { sql: flow.sql, read: 0, pending: [], written: 0, rejected: [] }
  }

  async #settle(progress: Progress<T>, flow: Flow, signal: AbortSignal): Promise<void> {
    for (let items = progress.pending[0]; items !== undefined; items = progress.pending[0]) {
      signal.throwIfAborted()
      try {
        await this.#delivery.send(items, { flow, epoch: this.#epoch, number: this.#parts, signal })
        progress.written += items.length
        progress.pending.shift()
      } catch (error) {
        const fault = toFault(error)
        if (fault.kind !== 'records') throw fault
        const middle = Math.floor(items.length / 2)
        if (middle === 0) progress.rejected.push(this.#rejected(items[0] as T, fault))
        progress.pending.splice(0, 1, ...(middle === 0 ? [] : [items.slice(0, middle), items.slice(middle)]))
      }
      this.#parts += 1
    }
  }

  #rejected(item: T, { code, message }: NodeFault): Rejected {
    return { code, reason: message, record: cut(this.#delivery.recordOf(item)) }
  }

  /** The rows that were not read yet, in parts; a row counts as read when its part is given. */
  async *#parted(progress: Progress<T>): AsyncGenerator<T[]> {
    const { maxRows, maxBytes, bytesOf, itemOf } = this.#delivery
    let part = new Gathered<T>()
    const rest = `SELECT * FROM ${this.#table} WHERE rowid >= ${progress.read}`
    const result = await this.#context.database.stream(rest)
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      for (const row of chunk.getRows()) {
        part.add(row, itemOf(row), bytesOf)
        if (part.items.length < maxRows && part.bytes < maxBytes) continue
        part.settle(progress)
        yield part.items
        part = new Gathered()
      }
    }
    part.settle(progress)
    if (part.items.length > 0) yield part.items
  }
}

/** Rows that become a part. */
class Gathered<T> {
  readonly items: T[] = []
  bytes = 0
  #rows = 0
  readonly #rejected: Rejected[] = []

  add(row: readonly DuckDBValue[], item: T | NodeFault, bytesOf: (item: T) => number): void {
    this.#rows += 1
    if (item instanceof NodeFault) {
      this.#rejected.push({ code: item.code, reason: item.message, record: cut(String(row.at(-1) ?? '')) })
      return
    }
    this.items.push(item)
    this.bytes += bytesOf(item)
  }

  settle(progress: Progress<unknown>): void {
    progress.read += this.#rows
    progress.rejected.push(...this.#rejected)
  }
}
