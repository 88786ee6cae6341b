import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { prepareInserts } from '../../../engines/prepare-rows.ts'
import type { EdgeRow } from '../migrations.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { type End, endsOf } from './ends.ts'

describe('where edges of many nodes lead to', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  const edge = {
    how: 'captured',
    job: '',
    type: 'writes',
    started_ms: 1,
    ended_ms: null,
    seen_ms: null,
    runs: 1
  } as const

  it('is found whole, each once and in order, however many leave a node', async () => {
    const degrees = [0, 17_000, 1, 3, 0, 950, 4100, ...Array.from({ length: 300 }, (_, n) => n % 3), 2500, 2500]
    const rows: EdgeRow[] = []
    const expected: [from: string, to: string, isPart: boolean][] = []
    const nodes = degrees.map((_, number) => `n${String(number).padStart(4, '0')}`)
    for (const [number, degree] of degrees.entries()) {
      for (let n = 0; n < degree; n++) {
        const ends = { from_node: nodes[number] as string, to_node: `t${String(n).padStart(6, '0')}`, who: null }
        const isPart = n % 5 === 0
        const isClaimed = !isPart || n % 2 === 0
        if (isPart) rows.push({ ...edge, ...ends, how: 'manual', type: 'overlaps' })
        if (isClaimed) rows.push({ ...edge, ...ends })
        if (n % 7 === 0) rows.push({ ...edge, ...ends, how: 'openlineage', ended_ms: 5 })
        expected.push([ends.from_node, ends.to_node, !isClaimed])
      }
    }
    const insert = prepareInserts('lineage_edges', Object.keys(rows[0] as object))
    await graph.metadata.transaction((tx) => insert(tx, rows))
    const found: End[] = []
    for await (const ends of endsOf(graph.metadata, nodes, 10)) found.push(...ends)
    assert.deepEqual(
      found.map(({ from, key, isPart }) => [from, key, isPart]),
      expected
    )
  })
})
