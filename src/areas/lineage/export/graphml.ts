import { type Part, sayersOf } from './parts.ts'

const OF_NODES = ['reference', 'kind', 'name', 'description', 'owners', 'deleted', 'deletedAt'] as const
const OF_EDGES = ['type', 'startedAt', 'lastSeenAt', 'endedAt', 'said'] as const

/** The graph in GraphML. Nodes are named by their keys, because the names that it takes have no slashes. */
export async function* graphMl(parts: AsyncIterable<Part>): AsyncGenerator<string> {
  yield HEAD
  for await (const { nodes, edges } of parts) {
    const lines = nodes.map(({ key, node }) => {
      const { id: reference, kind, name, description } = node
      const gone = { deleted: String(node.deleted), deletedAt: node.deletedAt ?? '' }
      const facts = { reference, kind, name, description, owners: node.owners.join(', '), ...gone }
      return `<node id="${key}">${dataOf('n', OF_NODES, facts)}</node>\n`
    })
    for (const { from, to, edge } of edges) {
      const { type, startedAt, lastSeenAt, endedAt } = edge
      const facts = { type, startedAt, lastSeenAt, endedAt: endedAt ?? '', said: sayersOf(edge) }
      lines.push(`<edge source="${from.key}" target="${to.key}">${dataOf('e', OF_EDGES, facts)}</edge>\n`)
    }
    yield lines.join('')
  }
  yield '</graph>\n</graphml>\n'
}

const keysOf = (side: 'node' | 'edge', names: readonly string[]): string =>
  names
    .map(
      (name) =>
        `<key id="${side[0]}-${name}" for="${side}" attr.name="${name}" attr.type="${name === 'deleted' ? 'boolean' : 'string'}"/>\n`
    )
    .join('')

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${keysOf('node', OF_NODES)}${keysOf('edge', OF_EDGES)}<graph id="lineage" edgedefault="directed">
`

/** What is empty is left out. */
function dataOf<N extends string>(side: string, names: readonly N[], facts: Readonly<Record<N, string>>): string {
  return names
    .filter((name) => facts[name] !== '')
    .map((name) => `<data key="${side}-${name}">${xmlText(facts[name])}</data>`)
    .join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;'
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML can't hold, not even escaped
const UNSPEAKABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Text as XML holds it; what it can't hold becomes the character for that. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNSPEAKABLE, '\ufffd')
    .replace(/[&<>"\r]/g, (char) => ESCAPES[char] as string)
