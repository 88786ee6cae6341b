import { strangeFields } from '../../../engines/places/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { type GoesTo, placeOf } from '../contract/secret-place.ts'
import { roleOf, typesNamed } from '../nodes/index.ts'
import type { VersionRow } from '../store/rows.ts'
import { nodesOf } from '../store/versions.ts'

export const MASK = '********'

/** Secrets by node, then by path. */
type Secrets = Record<string, Record<string, string>>

/** Where a secret is in the configuration of a node. */
interface Spot {
  /** `connection.password`, or one of a whole map of secrets: `headers/accept`. */
  readonly path: string
  /** JSON pointer into the configuration. */
  readonly pointer: string
  readonly goesTo: GoesTo<never>
}

/** Nodes with masks where their secrets were, and the secrets sealed. */
export function hideSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[]) {
  const secrets: Secrets = {}
  const hidden = nodes.map((node) => {
    return mapSecrets(node, nodes, (value, { path }) => {
      secrets[node.id] = { ...secrets[node.id], [path]: value }
      return MASK
    })
  })
  const sealed = Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets), contextOf(pipelineId))
  return { nodes: hidden, sealed }
}

/** The nodes of a version with their secrets, for those who run them; they go nowhere but where that version sends them. */
export function revealSecrets(vault: Vault, pipelineId: string, version: Known): PipelineNode[] {
  const { nodes } = putSecrets(vault, pipelineId, nodesOf(version), version)
  return nodes
}

type Known = Pick<VersionRow, 'nodes' | 'secrets'>

/** A mask that stands for a secret, in a node that would send it to another place. */
export interface Moved {
  readonly nodeId: string
  readonly pointer: string
  /** The fields of the configuration that say so. */
  readonly fields: readonly string[]
}

/**
 * Nodes with the secrets of a version in place of masks. A secret stays in its field of its node, and only where it goes to
 * the same place as in that version: whoever may not see it could send it to themselves else. Other masks stay.
 */
export function putSecrets(vault: Vault, pipelineId: string, nodes: readonly PipelineNode[], known: Known) {
  const secrets =
    known.secrets === null ? {} : (JSON.parse(vault.open(known.secrets, contextOf(pipelineId))) as Secrets)
  const knownNodes = nodesOf(known)
  const moved: Moved[] = []
  const put = nodes.map((node) => {
    const before = knownNodes.find(({ id }) => id === node.id)
    return mapSecrets(node, nodes, (value, { path, pointer, goesTo }) => {
      const own = before !== undefined && Object.hasOwn(secrets, node.id) ? (secrets[node.id] as Secrets[string]) : {}
      if (value !== MASK || before === undefined || !Object.hasOwn(own, path)) return value
      const isSameType = typeOf(before, knownNodes) === typeOf(node, nodes)
      const fields = isSameType ? strangeFields(placeIn(before, goesTo), placeIn(node, goesTo)) : ['type']
      if (fields.length === 0) return own[path] as string
      moved.push({ nodeId: node.id, pointer, fields })
      return value
    })
  })
  return { nodes: put, moved }
}

/** Where a secret is still a mask: `[nodeId, pointer]`. */
export function masksLeft(nodes: readonly PipelineNode[]): [string, string][] {
  const left: [string, string][] = []
  for (const node of nodes) {
    mapSecrets(node, nodes, (value, { pointer }) => {
      if (value === MASK) left.push([node.id, pointer])
      return value
    })
  }
  return left
}

const placeIn = ({ config }: PipelineNode, goesTo: GoesTo<never>) => placeOf(goesTo, config as never)

const contextOf = (pipelineId: string) => `pipeline:${pipelineId}`

function typeOf(node: PipelineNode, nodes: readonly PipelineNode[]): NodeType | undefined {
  const role = roleOf(node, nodes)
  return typesNamed(node.type).find((type) => type.role === role)
}

function mapSecrets(
  node: PipelineNode,
  nodes: readonly PipelineNode[],
  change: (value: string, spot: Spot) => string
): PipelineNode {
  const secrets = Object.entries(typeOf(node, nodes)?.secrets ?? {})
  if (secrets.length === 0) return node
  const config = structuredClone(node.config) as Record<string, unknown>
  for (const [path, goesTo] of secrets) {
    const pointer = `/${path.replaceAll('.', '/')}`
    changeAt(config, path.split('.'), (value, key) => {
      if (key === undefined) return change(value, { path, pointer, goesTo })
      const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1')
      return change(value, { path: `${path}/${key}`, pointer: `${pointer}/${escaped}`, goesTo })
    })
  }
  return { ...node, config }
}

/** `change` is also told which one of a whole map of secrets, such as headers, it is given. */
function changeAt(
  at: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  change: (value: string, key: string | undefined) => string
): void {
  const value = at[name]
  if (typeof value === 'string' && rest.length === 0) at[name] = change(value, undefined)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const inside = value as Record<string, unknown>
  if (rest.length > 0) changeAt(inside, rest, change)
  else {
    for (const [key, secret] of Object.entries(inside)) {
      if (typeof secret === 'string') inside[key] = change(secret, key)
    }
  }
}
