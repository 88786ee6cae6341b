import type { Vault } from '../../../engines/vault/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { VersionRow } from '../store/rows.ts'
import { MASK, type Moved, masksLeft, putSecrets } from './secrets.ts'

type Known = Pick<VersionRow, 'nodes' | 'secrets'>

/** Nodes as they were sent, with the secrets of the version before in place of masks; refuses masks that stand for none. */
export function keepSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[], known: Known) {
  const { nodes: kept, bound } = withKnownSecrets(vault, pipelineId, nodes, known)
  if (bound.length > 0) throw new Problem('secret_bound', { errors: bound })
  const errors = maskFaults(kept)
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  return kept
}

/** The same, where masks may be left. `bound`: those whose secret would go to another place. */
export function withKnownSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[], known: Known) {
  const { nodes: kept, moved } = putSecrets(vault, pipelineId, nodes, known)
  return { nodes: kept, bound: moved.map((one) => toFault(one, nodes)) }
}

/** Masks that stand for no secret that is known. */
export function maskFaults(nodes: readonly PipelineNode[]): FieldError[] {
  return masksLeft(nodes).map(([nodeId, pointer]) => ({
    pointer: pointerIn(nodes, nodeId, pointer),
    message: `${nodeId}: holds ${MASK} in place of a secret; send the secret itself`
  }))
}

function toFault({ nodeId, pointer, fields }: Moved, nodes: readonly PipelineNode[]): FieldError {
  const others = fields.join(', ')
  const message = `${nodeId}: the secret was given for another ${others}; send the secret itself, or ${others} as before`
  return { pointer: pointerIn(nodes, nodeId, pointer), message }
}

const pointerIn = (nodes: readonly PipelineNode[], nodeId: string, pointer: string) =>
  `/nodes/${nodes.findIndex(({ id }) => id === nodeId)}/config${pointer}`
