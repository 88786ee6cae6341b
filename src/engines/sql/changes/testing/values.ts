import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRows } from '../../testing/under-test.ts'
import { type ChangesGiven, freshReader, readChanges, shown } from './under-test.ts'

export function typesContract({ under, server, database }: ChangesGiven): void {
  test('every type comes out equal: when read, in the snapshot, and as a change', async () => {
    const reader = freshReader()
    const types = Object.entries(under.types)
    const columns = types.map(([type], i) => `c${i} ${type}`)
    await server().execute(`create table ${reader} (id int primary key, ${columns.join(', ')})`)
    const rows = Math.max(...types.map(([, values]) => values.length)) + 1
    const insert = (from: number) =>
      Array.from({ length: rows }, (_, n) => {
        return `insert into ${reader} values (${from + n}, ${types.map(([, values]) => values[n] ?? 'null').join(', ')})`
      })
    await server().execute(...insert(0))
    const snapshot = await readChanges(database(), { table: reader, reader }, 'snapshot')
    await server().execute(...insert(rows))
    const after = snapshot.positions.at(-1) as string
    const changes = await readChanges(database(), { table: reader, reader, after }, rows)
    const names = types.map((_, i) => `c${i}`)
    const read = await readRows(database(), { query: `select ${names.join(', ')} from ${reader} order by id` })
    for (const [i, [type]] of types.entries()) {
      const expected = read.slice(0, rows).map((row) => row[i])
      const name = names[i] as string
      assert.deepEqual(shown(snapshot.told, name).flat(), expected, `snapshot of ${type}`)
      assert.deepEqual(shown(changes.told, name).flat(), expected, `changes of ${type}`)
    }
  })
}
