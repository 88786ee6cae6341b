import type { Db } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Origin } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import { roleOf } from '../nodes/index.ts'
import type { Replay, ReplayOrder } from '../protocol/run-spec.ts'
import type { DeadLetterRow } from '../store/rows.ts'
import { lookFor, recordOf, wholeLetters } from './letter-search.ts'
import type { Skipped } from './replay-run.ts'

const MAX_READ_CHARS = 32_768

export interface ReplayPage {
  readonly letters: readonly Replay[]
  /** Those that can't be put through by the nodes that run. */
  readonly skipped: readonly Skipped[]
  readonly next: string | undefined
}

/** Some of the dead letters of an order that wait, from the one after `after` on. */
export async function nextReplays(
  db: Db,
  pipelineId: string,
  order: ReplayOrder,
  after: string,
  nodes: readonly PipelineNode[]
): Promise<ReplayPage> {
  const { heads, next } = await lookFor(db, pipelineId, { ...order, replayed: false }, after)
  const letters: Replay[] = []
  const skipped: Skipped[] = []
  for (const row of await wholeLetters(db, heads)) {
    const record = recordOf(row)
    const refusal = skip(row, record, nodes)
    if (refusal !== undefined) skipped.push({ id: row.id, ...refusal })
    else letters.push(toReplay(row, record))
  }
  return { letters, skipped, next }
}

export function toReplay(row: DeadLetterRow, record: string): Replay {
  return {
    id: row.id,
    nodeId: row.node_id,
    inputId: row.input_id ?? undefined,
    columns: row.columns === null ? undefined : (JSON.parse(row.columns) as Column[]),
    origin: row.origin === null ? undefined : (JSON.parse(row.origin) as Origin),
    record
  }
}

/** Why a dead letter can't be put through by these nodes; undefined where it can. */
export function skip(
  { node_id: nodeId, input_id: inputId, columns }: Pick<DeadLetterRow, 'node_id' | 'input_id' | 'columns'>,
  record: string,
  nodes: readonly PipelineNode[]
): Omit<Skipped, 'id'> | undefined {
  const node = nodes.find(({ id }) => id === nodeId)
  if (node === undefined) return { code: 'no_such_node', message: `The pipeline has no node ${nodeId} any more` }
  const role = roleOf(node, nodes)
  if (role === 'source' && columns !== null && isRecord(record)) return undefined
  if (role === 'source' || !isRecord(record)) {
    const message = 'What was received is no record; send it to the source again, corrected'
    return { code: 'not_a_record', message }
  }
  if (inputId !== null && !node.inputs.includes(inputId)) {
    return { code: 'no_such_input', message: `The node ${nodeId} has no input ${inputId} any more` }
  }
  if (inputId === null && role === 'transform' && node.inputs.length > 1) {
    const message = 'It is not known from which input it came; send it to the source again'
    return { code: 'several_inputs', message }
  }
  return undefined
}

/** Long ones as far as can be told without reading all of it, which the process that puts it through does. */
function isRecord(text: string): boolean {
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  if (text.length > MAX_READ_CHARS) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
