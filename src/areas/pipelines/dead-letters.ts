import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Outcome, Performed } from '../../http/route.ts'
import {
  type DeadLetter,
  type DeadLetterQuery,
  MAX_REPLAYED,
  type ReplayBody,
  type ReplayResult
} from './dead-letter-schema.ts'
import * as letters from './dead-letter-store.ts'
import { withHost } from './faults.ts'
import type { Replay } from './host/run-spec.ts'
import type { DeadLetterRow, PipelineRow, RunRow, VersionRow } from './migrations.ts'
import { roleOf } from './nodes/index.ts'
import type { PipelineNode } from './nodes/node-type.ts'
import { lockedPipeline, requirePipeline } from './service.ts'
import { requireState } from './states.ts'
import * as store from './store.ts'
import { countDeadLetters } from './supervisor/runs.ts'
import { nodesOf } from './view.ts'

/** Of records that one request replays. */
const MAX_REPLAYED_CHARS = 8 * 1024 * 1024

interface Needs {
  readonly metadata: Metadata
  /** Puts records through once more, at the nodes that refused them; resolves when they are committed. */
  replay(runId: string, letters: readonly Replay[]): Promise<void>
}

type Skipped = ReplayResult['skipped'][number]

/** Records that could not go on, and their way back. */
export class DeadLetters {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(pipelineId: string, query: DeadLetterQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await letters.listLetters(db, pipelineId, query)
    await requirePipeline(db, pipelineId)
    return { deadLetters: rows.map(toLetter), total, nextCursor }
  }

  async replay(pipelineId: string, body: ReplayBody): Promise<Performed<ReplayResult>> {
    const { db } = this.#needs.metadata
    const row = await requirePipeline(db, pipelineId)
    requireState(row, 'replay')
    const run = (await store.findRun(db, row.run_id as string)) as RunRow
    const places = placesOf((await store.findVersion(db, pipelineId, run.version)) as VersionRow)
    const found = await this.#find(row, body, places)
    const skipped = [...missing(found, body?.ids), ...found.flatMap((letter) => skip(letter, places) ?? [])]
    const isSkipped = new Set(skipped.map(({ id }) => id))
    const chosen = upTo(
      MAX_REPLAYED_CHARS,
      found.filter(({ id }) => !isSkipped.has(id))
    )
    if (chosen.length > 0) {
      await withHost(() =>
        this.#needs.replay(
          run.id,
          chosen.map(({ id, node_id: node, record }) => ({ id, node, record }))
        )
      )
    }
    // They are marked in the very commit that put them through.
    const waiting = await countDeadLetters(db, pipelineId)
    const before = { waiting: waiting + chosen.length, version: row.version }
    const after = { waiting, version: row.version }
    return {
      answer: { replayed: chosen.length, skipped, waiting },
      changes: [{ type: 'pipeline-dead-letters', id: pipelineId, before, after }]
    }
  }

  async delete(tx: Db, pipelineId: string, node: string | undefined): Promise<Outcome<{ deleted: number }>> {
    const { version } = await lockedPipeline(tx, pipelineId)
    const deleted = await letters.deleteLetters(tx, pipelineId, node)
    const before = { deleted: 0, version }
    const changes = [{ type: 'pipeline-dead-letters', id: pipelineId, before, after: { deleted, version } }] as const
    return { answer: { deleted }, changes: [...changes] }
  }

  #find({ id }: PipelineRow, body: ReplayBody, places: ReadonlyMap<string, string>): Promise<DeadLetterRow[]> {
    const { db } = this.#needs.metadata
    if (body?.ids !== undefined) return letters.findLetters(db, id, body.ids)
    const nodes =
      body?.nodeId === undefined ? [...places.keys()].filter((node) => places.get(node) !== 'source') : [body.nodeId]
    return letters.findWaiting(db, id, nodes, MAX_REPLAYED)
  }
}

const placesOf = (version: VersionRow) => {
  const nodes = nodesOf(version)
  const placeOf = (node: PipelineNode) => {
    const role = roleOf(node, nodes)
    return role === 'transform' && node.inputs.length > 1 ? 'several inputs' : role
  }
  return new Map(nodes.map((node) => [node.id, placeOf(node) as string]))
}

function missing(found: readonly DeadLetterRow[], ids: readonly string[] = []): Skipped[] {
  const known = new Set(found.map(({ id }) => id))
  return ids
    .filter((id) => !known.has(id))
    .map((id) => ({ id, code: 'not_found', message: 'There is no such dead letter' }))
}

function skip(
  { id, node_id, record, replayed_at }: DeadLetterRow,
  places: ReadonlyMap<string, string>
): Skipped | undefined {
  if (replayed_at !== null) return { id, code: 'already_replayed', message: 'It was put through again before' }
  const place = places.get(node_id)
  if (place === undefined) return { id, code: 'no_such_node', message: `The pipeline that runs has no node ${node_id}` }
  if (place === 'several inputs') {
    const advice = 'It is not known from which input it came; send it to the source again'
    return { id, code: 'several_inputs', message: advice }
  }
  if (place !== 'source' && isRecord(record)) return undefined
  const message = 'What was received is no record; send it to the source again, corrected'
  return { id, code: 'not_a_record', message }
}

/** As many as fit; the others are left for the next request. */
function upTo(maxChars: number, rows: readonly DeadLetterRow[]): DeadLetterRow[] {
  let chars = 0
  return rows.filter(({ record }, i) => {
    chars += record.length
    return i === 0 || chars <= maxChars
  })
}

function toLetter(row: DeadLetterRow): DeadLetter {
  return {
    id: row.id,
    runId: row.run_id,
    nodeId: row.node_id,
    code: row.code,
    reason: row.reason,
    record: isRecord(row.record) ? JSON.parse(row.record) : row.record,
    createdAt: row.created_at,
    replayedAt: row.replayed_at
  }
}

function isRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
