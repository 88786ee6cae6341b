import type { DuckDBConnection } from '@duckdb/node-api'
import { toDataValue } from '../../../data/sql-process/row-values.ts'
import { NodeFault } from '../contract/context.ts'
import type { Gateway } from '../contract/gateway.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Asked } from '../contract/sink.ts'
import { fileSamples, isWrittenCsv } from '../nodes/files/samples.ts'
import type { DeadLetter } from '../protocol/checkpoint.ts'
import type { NodePreview, Preview, Samples } from '../protocol/protocol.ts'
import { recordsSource } from '../records/source.ts'
import { HostedRun } from './hosted-run.ts'
import type { HostedRunNeeds } from './hosted-run-needs.ts'
import type { TrackedFlow } from './tracked-flow.ts'

const MAX_SHOWN = 100
/** The type of a column in which there is nothing but NULL, and of which nobody told more. */
const UNKNOWN = 'UNKNOWN'

/** A run of which nothing stays: samples in place of sources, and sinks that only look. */
export async function preview(
  nodes: readonly PipelineNode[],
  samples: Samples,
  {
    judgeSeries,
    ...place
  }: Omit<HostedRunNeeds, 'gateway' | 'reports' | 'onOpen'> & Partial<Pick<Gateway, 'judgeSeries'>>
): Promise<Preview> {
  const shown = new Map<string, NodePreview>()
  const spec = { pipelineId: 'preview', runId: 'preview', runNumber: 1, nodes, checkpoint: null, counted: null }
  const dead: DeadLetter[] = []
  const run = new HostedRun(spec, {
    ...place,
    gateway: refusing(judgeSeries),
    onOpen: () => {},
    reports: { commit: async ({ deadLetters }) => void dead.push(...deadLetters), log: () => {} },
    standIn: ({ id, config }) => {
      const records = samples[id] ?? []
      return isWrittenCsv(config) ? fileSamples(records) : recordsSource([records])
    },
    rehearsal: async (node, flow, database) => {
      const more = await show(node, flow, database)
      shown.set(node.id, merged(shown.get(node.id), more))
    }
  })
  await run.run()
  return {
    nodes: nodes.map(
      (node): NodePreview => ({
        ...(shown.get(node.id) ?? { id: node.id, columns: [], records: [], total: 0 }),
        deadLetters: dead.filter(({ nodeId }) => nodeId === node.id).map(({ nodeId: _nodeId, ...letter }) => letter),
        ...askedOf(run.asked.get(node.id))
      })
    )
  }
}

/** A node may give several times, as windows close. */
function merged(before: NodePreview | undefined, more: NodePreview): NodePreview {
  if (before === undefined) return more
  const records = [...before.records, ...more.records].slice(0, MAX_SHOWN)
  return { ...more, records, total: before.total + more.total }
}

async function show(node: PipelineNode, flow: TrackedFlow, database: DuckDBConnection): Promise<NodePreview> {
  const reader = await database.runAndReadAll(`SELECT * FROM (${flow.sql}) LIMIT ${MAX_SHOWN}`)
  const records = reader.getRowObjects().map((row) => {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toDataValue(value)]))
  })
  const columns = flow.columns.map(({ name, type }) => ({ name, type: type === '"NULL"' ? UNKNOWN : type }))
  return { id: node.id, columns, records, total: flow.rows ?? records.length, deadLetters: [] }
}

const askedOf = (asked: Asked | undefined) => (asked === undefined ? {} : { asked })

const refusing = (judgeSeries: Gateway['judgeSeries'] | undefined) =>
  new Proxy({} as HostedRunNeeds['gateway'], {
    get:
      (_, method) =>
      async (...args: never) => {
        if (method === 'judgeSeries' && judgeSeries !== undefined)
          return judgeSeries(...(args as Parameters<typeof judgeSeries>))
        if (method === 'keepFile') return 'preview' // what a node remembers, and nobody will ask for
        throw new NodeFault('fatal', 'preview', 'A preview reads and writes nothing')
      }
  })
