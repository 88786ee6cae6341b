import { Problem } from '../../../errors.ts'
import { type Actor, can, type Permission } from '../../../http/permissions.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { meantType } from '../nodes/index.ts'

/** What whoever defines a node must be allowed beside defining pipelines, by role and type. */
const RIGHTS: Readonly<Record<string, Permission>> = {
  'source file': 'buckets:read',
  'source series': 'catalog:read',
  'source stream': 'connectors:read',
  'transform quality': 'quality:read',
  'sink object': 'buckets:write',
  'sink series': 'catalog:write'
}

/** Nodes for databases need a right where a connector has the secrets, and none where these are in the node. */
function connectorRight({ config }: PipelineNode, role: string | undefined): Permission | undefined {
  // What was sent may be no configuration at all, which is told elsewhere.
  const named = (config as { readonly connectorId?: unknown } | null)?.connectorId
  if (typeof named !== 'string') return undefined
  return role === 'sink' ? 'connectors:write' : 'connectors:read'
}

/** A pipeline does nothing for its maker that the maker could not do; undefined where there is no such thing in it. */
export function lackingRight(actor: Actor, nodes: readonly PipelineNode[]): Problem | undefined {
  for (const node of nodes) {
    const { role, type } = meantType(node, nodes) ?? {}
    const permission = RIGHTS[`${role} ${type}`] ?? connectorRight(node, role)
    if (permission === undefined || can(actor, permission)) continue
    return new Problem('permission_denied', {
      detail: `The node ${node.id.slice(0, 63)} (${type}) needs ${permission}; ask an administrator for it.`,
      members: { permission, nodeId: node.id.slice(0, 63) }
    })
  }
  return undefined
}
