import type { Metadata } from '../../../engines/metadata/index.ts'
import { readNodes } from '../graph/details.ts'
import { type DatedFacts, undated } from '../nodes/facts.ts'
import { nodeKey } from '../references.ts'

/** The columns of data that the lineage knows, by their references: no more than `most` together. */
export async function knownColumns(
  metadata: Metadata,
  references: readonly string[],
  most: number
): Promise<Map<string, readonly string[]>> {
  const keys = new Map(references.map((reference) => [nodeKey(reference), reference]))
  const found = new Map<string, readonly string[]>()
  let left = most
  for (const [key, { facts }] of await readNodes(metadata, [...keys.keys()])) {
    const { columns } = undated(JSON.parse(facts) as DatedFacts)
    if (columns == null || columns.length === 0 || columns.length > left) continue
    left -= columns.length
    found.set(
      keys.get(key) as string,
      columns.map(({ name }) => name)
    )
  }
  return found
}
