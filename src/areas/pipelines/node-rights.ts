import { Problem } from '../../errors.ts'
import { type Actor, can, type Permission } from '../../http/permissions.ts'
import { typesOf } from './nodes/index.ts'
import type { PipelineNode } from './nodes/node-type.ts'

/** What whoever defines a node must be allowed beside defining pipelines, by role and type. */
const RIGHTS: Readonly<Record<string, Permission>> = {
  'source file': 'buckets:read',
  'source series': 'catalog:read',
  'sink object': 'buckets:write',
  'sink series': 'catalog:write'
}

/** A pipeline does nothing for its maker that the maker could not do. The nodes have been checked. */
export function requireRights(actor: Actor, nodes: readonly PipelineNode[]): void {
  for (const [nodeId, { role, type }] of typesOf(nodes)) {
    const permission = RIGHTS[`${role} ${type}`]
    if (permission === undefined || can(actor, permission)) continue
    throw new Problem('permission_denied', {
      detail: `The node ${nodeId} (${type}) needs ${permission}; ask an administrator for it.`,
      members: { permission, nodeId }
    })
  }
}
