import type { Vault } from '../../engines/vault/index.ts'
import { type FieldError, Problem } from '../../errors.ts'
import type { VersionRow } from './migrations.ts'
import type { PipelineNode } from './nodes/node-type.ts'
import { MASK, masksLeft, revealSecrets } from './secrets.ts'
import { nodesOf } from './view.ts'

/**
 * Nodes as they were sent, with the secrets of the version before in place of masks. A secret stays with its node while that
 * stays what it is: under another type it could be sent somewhere else.
 */
export function keepSecrets(
  vault: Vault,
  pipelineId: string,
  nodes: readonly PipelineNode[],
  known: Pick<VersionRow, 'nodes' | 'secrets'>
): PipelineNode[] {
  const kept = withKnownSecrets(vault, pipelineId, nodes, known)
  const errors = maskFaults(kept)
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  return kept
}

/** The same, where masks may be left. */
export function withKnownSecrets(
  vault: Vault,
  pipelineId: string,
  nodes: readonly PipelineNode[],
  known: Pick<VersionRow, 'nodes' | 'secrets'>
): PipelineNode[] {
  const types = new Map(nodesOf(known).map(({ id, type }) => [id, type]))
  const revealed = revealSecrets(vault, pipelineId, nodes, known.secrets)
  return nodes.map((node, i) => (types.get(node.id) === node.type ? (revealed[i] as PipelineNode) : node))
}

/** Masks that stand for no secret that is known. */
export function maskFaults(nodes: readonly PipelineNode[]): FieldError[] {
  return masksLeft(nodes).map(([nodeId, path]) => ({
    pointer: `/nodes/${nodes.findIndex(({ id }) => id === nodeId)}/config/${path.replaceAll('.', '/')}`,
    message: `${nodeId}: holds ${MASK} in place of a secret; send the secret itself`
  }))
}
