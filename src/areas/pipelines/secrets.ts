import type { Vault } from '../../engines/vault/index.ts'
import { roleOf, typesNamed } from './nodes/index.ts'
import type { PipelineNode } from './nodes/node-type.ts'

export const MASK = '********'

/** Secrets by node, then by dotted path. */
type Secrets = Record<string, Record<string, string>>

/** Nodes with masks where their secrets were, and the secrets sealed. */
export function hideSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[]) {
  const secrets: Secrets = {}
  const hidden = nodes.map((node) => {
    return mapSecrets(node, nodes, (value, path) => {
      secrets[node.id] = { ...secrets[node.id], [path]: value }
      return MASK
    })
  })
  const sealed = Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets), contextOf(pipelineId))
  return { nodes: hidden, sealed }
}

/** The nodes with their secrets, for those who run them; where `sealed` lacks one, the mask stays. */
export function revealSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[], sealed: string | null) {
  const secrets = sealed === null ? {} : (JSON.parse(vault.open(sealed, contextOf(pipelineId))) as Secrets)
  return nodes.map((node) =>
    mapSecrets(node, nodes, (value, path) => (value === MASK ? (secrets[node.id]?.[path] ?? value) : value))
  )
}

/** Where a secret is still a mask: `[nodeId, path]`. */
export function masksLeft(nodes: readonly PipelineNode[]): [string, string][] {
  const left: [string, string][] = []
  for (const node of nodes) {
    mapSecrets(node, nodes, (value, path) => {
      if (value === MASK) left.push([node.id, path])
      return value
    })
  }
  return left
}

const contextOf = (pipelineId: string) => `pipeline:${pipelineId}`

function mapSecrets(
  node: PipelineNode,
  nodes: readonly PipelineNode[],
  change: (value: string, path: string) => string
): PipelineNode {
  const role = roleOf(node, nodes)
  const paths = typesNamed(node.type).find((type) => type.role === role)?.secrets ?? []
  if (paths.length === 0) return node
  const config = structuredClone(node.config) as Record<string, unknown>
  for (const path of paths) changeAt(config, path.split('.'), (value, key) => change(value, path + key))
  return { ...node, config }
}

/** `change` is also told which one of a whole map of secrets, such as headers, it is given: `/accept`. */
function changeAt(
  at: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  change: (value: string, key: string) => string
): void {
  const value = at[name]
  if (typeof value === 'string' && rest.length === 0) at[name] = change(value, '')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const inside = value as Record<string, unknown>
  if (rest.length > 0) changeAt(inside, rest, change)
  else {
    for (const [key, secret] of Object.entries(inside)) {
      if (typeof secret === 'string') inside[key] = change(secret, `/${key}`)
    }
  }
}
