import { toFault } from '../contract/faults.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Sink, SinkRejected, Wrote } from '../contract/sink.ts'
import { type Rejected, ROW } from '../contract/source.ts'
import { recordJson } from '../records/sieve.ts'
import { bisect } from './bisect.ts'
import type { Flows } from './flows.ts'
import type { PassageNeeds } from './passage.ts'
import { reunited } from './reunion.ts'
import type { TrackedFlow } from './tracked-flow.ts'

type WritingNeeds = Pick<PassageNeeds, 'database' | 'sinks' | 'books' | 'signal' | 'retried' | 'see'>

/** What of a batch matters here. */
interface InBatch {
  readonly flows: Flows
  readonly epoch: number
}

/** The last step of records: into sinks, and what those refuse among the dead letters. */
export class Writing {
  readonly #needs: WritingNeeds

  constructor(needs: WritingNeeds) {
    this.#needs = needs
  }

  /** Writes what comes from one input, in the order in which it came. */
  async writeAll(node: PipelineNode, inputId: string, given: readonly TrackedFlow[], batch: InBatch): Promise<void> {
    const sink = this.#needs.sinks.get(node.id) as Sink
    const { flows } = batch
    const united = await reunited(flows, given, sink.writeMixed !== undefined)
    if (united.length > 1 && (await this.#wroteMixed(node, inputId, united, batch))) return
    const inOrder = sink.writeMixed === undefined || united.length < 2 ? united : await flows.alternating(united)
    for (const flow of inOrder) await this.#write(node, inputId, flow, batch)
  }

  /** Records of several types at once; false where some can't be computed, which is found out stretch by stretch. */
  async #wroteMixed(
    node: PipelineNode,
    inputId: string,
    united: readonly TrackedFlow[],
    { flows, epoch }: InBatch
  ): Promise<boolean> {
    const { sinks, books, signal, retried } = this.#needs
    const sink = sinks.get(node.id) as Sink
    let wrote: Wrote | undefined
    try {
      wrote = await retried(node, async () => sink.writeMixed?.(united, { epoch, signal }))
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind !== 'records') throw fault
    }
    if (wrote === undefined) return false
    books.written(node, wrote.written)
    for (const [i, flow] of united.entries()) {
      const own = new Map(wrote.rejected.filter((one) => one.flow === i).map((one) => [one.row as number, one]))
      await this.#see(node, flow, [...own.keys()], flows)
      if (own.size === 0) continue
      const where = `${ROW} IN (SELECT unnest([${[...own.keys()].join(', ')}]::BIGINT[]))`
      const letters = await flows.recordsOf(flow, where, (record) => {
        const { code, reason } = own.get(record.row) as SinkRejected
        return { ...record, code, reason }
      })
      await flows.reject(node, flow, letters, inputId)
    }
    return true
  }

  /** Writes a flow, without the records that can't be computed or are not taken. */
  async #write(node: PipelineNode, inputId: string, flow: TrackedFlow, { flows, epoch }: InBatch): Promise<void> {
    const { sinks, books, signal, retried } = this.#needs
    const sink = sinks.get(node.id) as Sink
    const gone: number[] = []
    let written: TrackedFlow = flow
    let wrote: Wrote
    try {
      wrote = await retried(node, () => sink.write(flow, { epoch, signal }))
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind === 'shape') {
        await flows.refuse(node, flow, fault, inputId)
        return
      }
      if (fault.kind !== 'records') throw fault
      written = await flows.materialized(await flows.cleaned(flow))
      wrote = await this.#writeCarefully(node, inputId, written, { flows, epoch }, gone)
    }
    flows.settle(written, wrote.taken)
    books.written(node, wrote.written)
    gone.push(...(await this.#rejectWritten(node, inputId, written, flows, wrote.rejected)))
    await this.#see(node, written, gone, flows)
  }

  /** Shows what a sink would take, in a dry run. */
  async #see(node: PipelineNode, flow: TrackedFlow, gone: readonly number[], flows: Flows): Promise<void> {
    const { see } = this.#needs
    if (see !== undefined) await see(node, await flows.without(await flows.materialized(flow), gone))
  }

  async #writeCarefully(
    node: PipelineNode,
    inputId: string,
    flow: TrackedFlow,
    { flows, epoch }: InBatch,
    gone: number[]
  ): Promise<Wrote> {
    const { database, signal, sinks, retried } = this.#needs
    const sink = sinks.get(node.id) as Sink
    let written = 0
    const rejected: SinkRejected[] = []
    const caught = await bisect(database, flow as TrackedFlow & { table: string }, async (where) => {
      const [sql, numbered] = [`${flow.sql} WHERE ${where}`, `${flow.numbered} WHERE ${where}`]
      const part = { sql, numbered, columns: flow.columns, rows: undefined }
      const wrote = await retried(node, () => sink.write(part, { epoch, signal }))
      written += wrote.written
      rejected.push(...(await this.#located(flow, numbered, wrote.rejected)))
    })
    await flows.reject(node, flow, caught, inputId)
    gone.push(...caught.map(({ row }) => row))
    return { taken: flow.rows as number, written, rejected }
  }

  /** Dead letters of what a sink has not taken; answers their `ROW`s. */
  async #rejectWritten(
    node: PipelineNode,
    inputId: string,
    flow: TrackedFlow,
    flows: Flows,
    rejected: readonly SinkRejected[]
  ): Promise<number[]> {
    if (rejected.length === 0) return []
    const located = await this.#located(flow, flow.numbered, rejected)
    const known = located.filter(({ row }) => row !== undefined) as (Rejected & { row: number })[]
    await flows.reject(node, flow, known, inputId)
    const unknown = located.filter(({ row }) => row === undefined)
    this.#needs.books.refused(node, unknown)
    return known.map(({ row }) => row)
  }

  /** Finds the records that a sink has named by their places in what it was given. */
  async #located(flow: TrackedFlow, numbered: string, rejected: readonly SinkRejected[]): Promise<SinkRejected[]> {
    const places = rejected.flatMap(({ place }) => (place === undefined ? [] : [place]))
    if (places.length === 0) return [...rejected]
    const reader = await this.#needs.database.runAndReadAll(
      `SELECT place, ${ROW}, ${recordJson(flow.columns)} FROM (SELECT *, row_number() OVER () - 1 AS place FROM (${numbered})) WHERE place IN (SELECT unnest([${places.join(', ')}]::BIGINT[]))`
    )
    const found = new Map(
      reader.getRows().map(([place, row, record]) => [Number(place), [Number(row), String(record)] as const])
    )
    return rejected.map(({ place, ...letter }) => {
      const [row, record] = (place === undefined ? undefined : found.get(place)) ?? [undefined, letter.record]
      return { columns: flow.columns, ...letter, record, ...(row !== undefined && { row }) }
    })
  }
}
