import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { roleOf } from '../nodes/index.ts'
import type { KnownColumns } from '../protocol/known-columns.ts'
import type { NodeProblem, Preview, Samples } from '../protocol/protocol.ts'
import type { Replay } from '../protocol/run-spec.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { DeadLetterRow } from '../store/rows.ts'
import { withHost } from '../supervisor/host-problems.ts'
import { lookFor, recordOf, wholeLetters } from '../supervisor/letter-search.ts'
import { skip, toReplay } from '../supervisor/replay-pages.ts'
import { requireKnownNames } from './names.ts'
import { requireSound } from './replays.ts'
import type { Tried, TryBody, TryResult } from './schema.ts'
import { trialNodes } from './trial-nodes.ts'
import { shown } from './view.ts'

const DEFAULT_LIMIT = 10
const LIMIT_MS = 10_000
/** Pages that are looked through for something that matches. */
const MAX_PAGES = 100

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  checkSql(nodes: readonly PipelineNode[], known: KnownColumns): Promise<readonly NodeProblem[]>
  preview(nodes: readonly PipelineNode[], samples: Samples): Promise<Preview>
  /** The nodes of a version, with their secrets. */
  definitionOf(pipelineId: string, version: number): Promise<readonly PipelineNode[]>
}

/** Shows what a replay would make of some dead letters, each by itself; nothing stays of it. */
export async function tryReplay(needs: Needs, pipelineId: string, body: TryBody): Promise<TryResult> {
  const { metadata, clock } = needs
  const pipeline = await requirePipeline(metadata.db, pipelineId)
  const { version, letters_upto: upTo } = pipeline
  const { limit = DEFAULT_LIMIT, set, ...filter } = body ?? {}
  await requireKnownNames(metadata.db, pipeline, filter, '')
  await requireSound(needs, pipeline, set === undefined ? null : { ...filter, set })
  const nodes = await needs.definitionOf(pipelineId, version)
  const untilMs = clock.elapsed() + LIMIT_MS
  const tried: Tried[] = []
  let after: string | undefined = ''
  for (let page = 0; after !== undefined && page < MAX_PAGES && tried.length < limit; page++) {
    const search = { ...filter, replayed: false, upTo: upTo ?? '' }
    const found: Awaited<ReturnType<typeof lookFor>> = await lookFor(metadata.db, pipelineId, search, after)
    after = found.next
    const rows = await wholeLetters(metadata.db, found.heads.slice(0, limit - tried.length))
    // One after the other: there is one process for what somebody tries.
    for (const row of rows) {
      if (clock.elapsed() > untilMs) return { tried, isTimeUp: true }
      tried.push(await one(row))
    }
  }
  return { tried, isTimeUp: false }

  async function one(row: DeadLetterRow): Promise<Tried> {
    const record = recordOf(row)
    const refusal = skip(row, record, nodes)
    if (refusal === undefined) return tryOne(needs, nodes, toReplay(row, record), set)
    const refused = [{ nodeId: row.node_id, code: refusal.code, reason: refusal.message }]
    return { id: row.id, nodeId: row.node_id, record: shown(record), corrected: null, written: [], refused }
  }
}

async function tryOne(
  { preview }: Needs,
  nodes: readonly PipelineNode[],
  letter: Replay,
  set: Readonly<Record<string, string>> | undefined
): Promise<Tried> {
  const { id, nodeId } = letter
  const record = JSON.parse(letter.record) as Record<string, unknown>
  const trial = trialNodes(nodes, letter, set)
  const { nodes: seen } = await withHost(() => preview(trial.nodes, { [trial.sourceId]: [record] }))
  const isOwn = (one: string) => trial.prepared.includes(one)
  const sinks = new Set(trial.nodes.filter((node) => roleOf(node, trial.nodes) === 'sink').map((node) => node.id))
  const written = seen
    .filter((node) => sinks.has(node.id))
    .flatMap((node) =>
      node.records.map((one) => ({ nodeId: node.id, record: one, asked: node.asked ?? ('none' as const) }))
    )
  const refused = seen.flatMap((node) =>
    node.deadLetters.map(({ code, reason }) => {
      return { nodeId: isOwn(node.id) ? nodeId : node.id, code, reason: isOwn(node.id) ? inSet(reason) : reason }
    })
  )
  const [corrected = null] = seen.find((node) => node.id === trial.inputId)?.records ?? []
  return { id, nodeId, record, corrected, written, refused }
}

const inSet = (reason: string) => `The correction fails: ${reason}`
