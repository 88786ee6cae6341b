import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { typesOf } from '../nodes/index.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'
import type { NodeFigures } from '../protocol/ledger.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { RunWarning } from '../store/rows.ts'

const MAX_WARNINGS = 20

interface Ended {
  readonly nodes: readonly PipelineNode[]
  readonly figures: Pick<RunFigures, 'ledger' | 'nodes'>
  readonly status: 'completed' | 'stopped'
  /** It put dead letters through, and opened no source. */
  readonly isReplay: boolean
  /** What it was told of when it was started. */
  readonly known: readonly RunWarning[]
  /** Files of the last checkpoint that are kept here and were not seen to reach their bucket. */
  readonly publications: Checkpoint['publications']
}

/**
 * What is no failure and yet hardly meant, once a run has ended: sources that gave nothing, records none of which
 * arrived, and objects that count as written and wait for their store.
 */
export function endWarnings({ nodes, figures, status, isReplay, known, publications }: Ended): RunWarning[] {
  const types = typesOf(nodes)
  const told = new Set(known.map(({ nodeId }) => nodeId))
  const { recordsRead, recordsWritten } = figures.ledger
  const warnings = nodes.flatMap((node): RunWarning[] => {
    const type = types.get(node.id)
    const figure = figures.nodes[node.id]
    if (type === undefined || figure === undefined) return []
    if (type.role === 'source' && figure.recordsIn === 0) {
      return isReplay || told.has(node.id) ? [] : [{ nodeId: node.id, code: 'read_nothing', message: unread(node) }]
    }
    const waiting = publications.filter((one) => isOf(node, one)).length
    if (waiting > 0) return [{ nodeId: node.id, code: 'not_delivered', message: undelivered(node, waiting) }]
    const isAll = recordsRead > 0 && recordsWritten === 0 && figure.recordsIn > 0 && figure.recordsOut === 0
    // What is held when it is stopped goes out in the next run.
    const isHeld = status === 'stopped' && type.role === 'transform' && 'open' in type
    if (!isAll || isHeld) return []
    const message = `${count(recordsRead)} read, none written: ${lost(node, type, figure)}`
    return [{ nodeId: node.id, code: 'wrote_nothing', message }]
  })
  return warnings.slice(0, MAX_WARNINGS)
}

function isOf({ type, config }: PipelineNode, { bucket, key }: Checkpoint['publications'][number]): boolean {
  return type === 'object' && config.bucket === bucket && key.startsWith(String(config.prefix))
}

function undelivered({ id, config }: PipelineNode, objects: number): string {
  const what = objects === 1 ? '1 object' : `${objects} objects`
  return `${what} of ${id} may not be in ${config.bucket} yet: the records are counted as written and kept here; start the pipeline again to deliver them`
}

function unread({ id, type, config }: PipelineNode): string {
  if (type !== 'file') return `${id} gave no record: there was nothing, or nothing new, where it reads`
  const where = String(config.reference)
  return `${id} gave no record: nothing new matches ${where}, or the objects hold none; look at them, and at \`format\` and the encoding`
}

function lost({ id }: PipelineNode, type: NodeType, { recordsIn, errors }: NodeFigures): string {
  const came = `of ${count(recordsIn)} that came to ${id}`
  if (errors >= recordsIn) return `${came} all were refused; its dead letters say why`
  const refused = errors === 0 ? '' : ` and ${errors} refused, as its dead letters say`
  if (type.role === 'transform' && type.accounting === 'filters')
    return `${came} all were filtered${refused}; look at its configuration`
  return `${came} nothing was made${refused}; look at its configuration`
}

const count = (records: number): string => (records === 1 ? '1 record' : `${records} records`)
