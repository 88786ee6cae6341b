import type { FieldError } from '../../../errors.ts'
import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { GivenConnector } from '../nodes/sql/connector.ts'

/**
 * What is needed to read a stream of a connector, or all that it has where none is named, secrets included; or what is named and is not
 * there, and why. A column to go on by is looked at where it is given.
 */
export type ConnectorOf = (
  connectorId: string,
  stream: string | undefined,
  cursor?: string
) => Promise<GivenConnector | { readonly field: 'connectorId' | 'stream' | 'cursor'; readonly problem: string }>

/** Nodes as a host runs them, which knows nothing of connectors: what one leads to stands beside its identifier. */
export function withConnectors(nodes: readonly PipelineNode[], connectorOf: ConnectorOf): Promise<PipelineNode[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const named = namedBy(node)
      if (named === undefined) return node
      const connector = await connectorOf(named.connectorId, named.stream)
      if ('problem' in connector) throw new NodeFault('fatal', 'connector_missing', `${node.id}: ${connector.problem}`)
      return { ...node, config: { ...node.config, connector } }
    })
  )
}

/** What is wrong with the connectors and streams that nodes name. */
export async function connectorFaults(nodes: readonly PipelineNode[], connectorOf: ConnectorOf): Promise<FieldError[]> {
  const faults: FieldError[] = []
  for (const [index, node] of nodes.entries()) {
    const named = namedBy(node)
    const found = named && (await connectorOf(named.connectorId, named.stream, named.cursor))
    if (found === undefined || !('problem' in found)) continue
    const field = found.field === 'stream' ? named?.streamField : found.field
    faults.push({ pointer: `/nodes/${index}/config/${field}`, message: `${node.id}: ${found.problem}` })
  }
  return faults
}

interface Named {
  readonly connectorId: string
  readonly stream: string | undefined
  /** The field that names the stream. */
  readonly streamField: 'stream' | 'table'
  /** The column that it is to be read on by. */
  readonly cursor?: string
}

/** A table that is written need not be there yet. */
function namedBy({ type, config, inputs }: PipelineNode): Named | undefined {
  if (type !== 'stream' && type !== 'sql') return undefined
  const { connectorId, stream, table, cursor } = config
  if (typeof connectorId !== 'string') return undefined
  const by = typeof cursor === 'string' ? { cursor } : {}
  if (type === 'stream') return { connectorId, stream: String(stream), streamField: 'stream', ...by }
  const isRead = inputs.length === 0 && typeof table === 'string'
  return { connectorId, stream: isRead ? table : undefined, streamField: 'table', ...(isRead && by) }
}
