import type { RunBooks } from './books.ts'
import { spokenIn } from './expected-columns.ts'
import { partsOfLetters } from './letter-parts.ts'
import type { OpenNodes } from './open-nodes.ts'
import type { Passage } from './passage.ts'
import type { LetterGroup } from './replays.ts'

interface Place {
  readonly nodes: OpenNodes
  readonly books: RunBooks
  readonly schema: string
  readonly epoch: number
}

/** Dead letters of one node, as it got them or as a correction makes them. */
export async function putLetters(
  passage: Passage,
  { nodeId, inputId, columns, letters, set }: LetterGroup,
  { nodes, books, schema, epoch }: Place
): Promise<void> {
  const node = nodes.nodeOf(nodeId)
  const [first = ''] = node.inputs
  const { main } = nodes
  const isSource = node.inputs.length === 0
  const told = isSource ? (columns ?? []).map(({ name }) => name) : []
  const spoken = [...told, ...(set === undefined ? [] : await spokenIn(main, set))]
  const place = { schema, name: `replay:${epoch}` }
  const { parts, cut } = await partsOfLetters(main, place, letters, isSource ? undefined : columns, spoken)
  books.refused(node, cut)
  for (const part of parts) {
    if (isSource) await passage.putFromSource({ nodeId, part, set }, columns ?? [], epoch)
    else await passage.putIn({ nodeId, inputId: inputId ?? first, part, set }, epoch)
    await part.drop()
  }
}
