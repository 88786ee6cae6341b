import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphDatabase } from '../testing/graph-database.ts'
import { toAbsences } from './to-absences.ts'

test('deletions that were written as one time are periods afterwards, and nothing else is changed', async () => {
  const graph = await GraphDatabase.open()
  const before: Readonly<Record<string, object>> = {
    gone: { deleted: [1000, true], name: [1, 'a'] },
    back: { deleted: [2000, false], name: [1, 'b'] },
    said: { description: [3, 'it has "deleted":[1000,true] in it'] },
    new: { deleted: [[1, 2]] },
    never: { name: [1, 'c'] }
  }
  try {
    const rows = Object.entries(before).map(([key, facts]) => {
      const rest = { reference: `object://lake/${key}`, kind: 'object', name: key, is_pattern: 0 } as const
      return { key, ...rest, facts: JSON.stringify(facts) }
    })
    const { db } = graph.metadata
    await graph.metadata.transaction((tx) => tx.insertInto('lineage_nodes').values(rows).execute())
    for (let time = 0; time < 2; time++) await graph.metadata.transaction((tx) => toAbsences(tx))
    const found = await db.selectFrom('lineage_nodes').select(['key', 'facts']).execute()
    assert.deepEqual(Object.fromEntries(found.map(({ key, facts }) => [key, JSON.parse(facts)])), {
      ...before,
      gone: { name: [1, 'a'], deleted: [[1000, null]] },
      back: { name: [1, 'b'] }
    })
  } finally {
    await graph.close()
  }
})
