import { hash } from 'node:crypto'
import { MAX_REFERENCE_CHARS, parseReference } from '../../data/reference.ts'

/** What a node is, by the beginning of its reference. */
export const NODE_KINDS = [
  'object',
  'series',
  'pipeline',
  'cluster',
  'connector',
  'model',
  'dashboard',
  'schema',
  'dataset',
  'job'
] as const

export type NodeKind = (typeof NODE_KINDS)[number]

/** Nodes that data references do not name: data outside the platform, schemas, and what reads and writes. */
const OWN = /^(dataset|job)(:\/\/)([^/]+)\/(.+)$|^(schema):\/\/([^/]+)$/su

/** Reads the reference of a node; answers what is wrong where the text is not one. */
export function parseNode(text: string): { kind: NodeKind; name: string } | { problem: string } {
  if (text.length > MAX_REFERENCE_CHARS) return { problem: `must have at most ${MAX_REFERENCE_CHARS} characters` }
  const [, kind, , , name, schema, id] = OWN.exec(text) ?? []
  if (kind !== undefined) return { kind: kind as NodeKind, name: name as string }
  if (schema !== undefined) return { kind: 'schema', name: id as string }
  const [, own] = /^(dataset|job|schema):\/\//.exec(text) ?? []
  if (own === 'schema') return { problem: 'must be schema:// and an identifier' }
  if (own !== undefined) return { problem: `must be ${own}://<namespace>/<name>, the namespace percent-encoded` }
  const parsed = parseReference(text)
  if ('problem' in parsed) return { problem: `${parsed.problem}, or dataset://, schema:// or job://` }
  return { kind: parsed.scheme, name: parsed.path === '' ? parsed.owner : parsed.path }
}

/** Whether a text is the reference of a node. */
export const isNode = (text: string): boolean => !('problem' in parseNode(text))

/** The node of something that reads and writes: `job://pipeline/pl_1`. */
export const jobReference = (namespace: string, name: string): string =>
  `job://${encodeURIComponent(namespace)}/${name}`

/** The node of data outside the platform, by the names that OpenLineage gives it. */
export const datasetReference = (namespace: string, name: string): string =>
  `dataset://${encodeURIComponent(namespace)}/${name}`

/**
 * What tables call a node: 72 bits of the digest of its reference, so that a row about it can be written without
 * having looked for it, and keys are short. With ten million nodes two share a key in one of 10^8 installations.
 */
export const nodeKey = (reference: string): string => hash('sha256', reference, 'base64url').slice(0, 12)
