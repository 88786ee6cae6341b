import { edgesOf } from './edge-reader.ts'
import type { GraphReader } from './reader.ts'
import type { Step, Steps } from './walk.ts'

const NODES_AT_ONCE = 500

/** All edges of the time, and the nodes at their ends, each before the first edge that has it. */
export async function* everything(reader: GraphReader, atMs: number): Steps {
  const met = new Set<string>()
  let after = ''
  for (;;) {
    const rows = await reader.db
      .selectFrom('lineage_nodes')
      .select('key')
      .where('key', '>', after)
      .orderBy('key')
      .limit(NODES_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    const keys = rows.map(({ key }) => key)
    after = keys.at(-1) as string
    for await (const edges of edgesOf(reader, keys, 'downstream', atMs)) {
      yield edges.flatMap((edge): Step[] => [...once(met, edge.from), ...once(met, edge.to), { edge }])
    }
  }
}

function* once(met: Set<string>, node: string): Generator<Step> {
  if (met.has(node)) return
  met.add(node)
  yield { node, distance: 0 }
}
