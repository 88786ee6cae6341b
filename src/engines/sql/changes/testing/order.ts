import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangesGiven, freshReader, readChanges, shown } from './under-test.ts'

export function orderContract({ server, database }: ChangesGiven): void {
  test('rows come first and then what becomes of them, with what is known of the row before', async () => {
    const reader = freshReader()
    await server().execute(
      `create table ${reader} (id int primary key, name varchar(50))`,
      `insert into ${reader} values (1, 'one'), (2, 'two')`
    )
    const { told, positions } = await readChanges(database(), { table: reader, reader }, 'snapshot')
    assert.deepEqual(shown(told, 'id', 'name', '_op', '_at'), [
      [1, 'one', 'snapshot', null],
      [2, 'two', 'snapshot', null]
    ])
    await server().execute(
      `insert into ${reader} values (3, 'three')`,
      `update ${reader} set name = 'ONE' where id = 1`,
      `update ${reader} set id = 4 where id = 2`,
      `delete from ${reader} where id = 1`,
      `truncate table ${reader}`
    )
    const after = positions.at(-1) as string
    const more = await readChanges(database(), { table: reader, reader, after }, 6)
    assert.deepEqual(shown(more.told, 'id', '_op'), [
      [3, 'insert'],
      [1, 'update'],
      [2, 'delete'],
      [4, 'insert'],
      [1, 'delete'],
      [null, 'truncate']
    ])
    assert.deepEqual(shown(more.told.slice(0, 2), 'name', '_unchanged'), [
      ['three', null],
      ['ONE', null]
    ])
    const places = [...told, ...more.told].map(({ row }) => String(row._position))
    assert.deepEqual(places, places.toSorted())
    for (const { row } of more.told)
      assert.ok(Math.abs(Date.parse(`${row._at}Z`) - Date.now()) < 60_000, String(row._at))
  })

  test('that all rows are gone is told, also to whoever has seen no change before', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int primary key)`, `insert into ${reader} values (1)`)
    const { positions } = await readChanges(database(), { table: reader, reader }, 'snapshot')
    await server().execute(`truncate table ${reader}`, `insert into ${reader} values (2)`)
    const { told } = await readChanges(database(), { table: reader, reader, after: positions.at(-1) as string }, 2)
    assert.deepEqual(shown(told, 'id', '_op'), [
      [null, 'truncate'],
      [2, 'insert']
    ])
  })

  test('whoever goes on from any position gets exactly what comes after it', async () => {
    const reader = freshReader()
    await server().execute(
      `create table ${reader} (a int, b varchar(20), n int, primary key (b, a))`,
      `insert into ${reader} values ${numbers(0, 3000).map((n) => `(${n}, 'k${n % 7}', 0)`)}`
    )
    // Before the changes are made, so that all come after the snapshot, and one transaction is longer than a chunk.
    const first = await readChanges(database(), { table: reader, reader }, 'snapshot')
    await server().execute(
      ...numbers(0, 20).map((n) => `update ${reader} set n = ${n + 1} where a = ${n}`),
      `insert into ${reader} values ${numbers(3000, 28_000).map((n) => `(${n}, 'k${n % 7}', 0)`)}`,
      `update ${reader} set a = a + 100000 where a between 10 and 19`,
      `delete from ${reader} where a between 20 and 29`
    )
    const total = 20 + 25_000 + 20 + 10
    const after = first.positions.at(-1) as string
    const whole = await readChanges(database(), { table: reader, reader, after }, total)
    assert.ok(whole.positions.length > 2)
    for (const position of [...first.positions, ...whole.positions.slice(0, -1)]) {
      const given = whole.told.findLastIndex((one) => one.position === position) + 1
      const rest = await readChanges(database(), { table: reader, reader, after: position }, total - given)
      const names = ['a', 'b', 'n', '_op', '_position']
      const changes = rest.told.filter(({ row }) => row._op !== 'snapshot')
      assert.deepEqual(shown(changes, ...names), shown(whole.told.slice(given), ...names))
    }
  })

  test('columns that come and go are seen in the chunks, and stop nothing', async () => {
    const reader = freshReader()
    await server().execute(
      `create table ${reader} (id int primary key, name varchar(50))`,
      `insert into ${reader} values (1, 'one')`
    )
    const { positions } = await readChanges(database(), { table: reader, reader }, 'snapshot')
    await server().execute(
      `insert into ${reader} values (2, 'two')`,
      `alter table ${reader} add column size double precision`,
      `insert into ${reader} values (3, 'three', 0.5)`,
      `alter table ${reader} drop column name`,
      `insert into ${reader} values (4, 1.5)`
    )
    const after = positions.at(-1) as string
    const { told } = await readChanges(database(), { table: reader, reader, after }, 3)
    const own = told.map(({ row }) => Object.entries(row).filter(([name]) => !name.startsWith('_')))
    assert.deepEqual(own.map(Object.fromEntries), [
      { id: 2, name: 'two' },
      { id: 3, name: 'three', size: 0.5 },
      { id: 4, size: 1.5 }
    ])
  })

  test('a table whose rows nothing identifies is refused, and so is one that is not there', async () => {
    const reader = freshReader()
    await server().execute(`create table ${reader} (id int)`)
    await assert.rejects(readChanges(database(), { table: reader, reader }, 0), { code: 'changes_off' })
    await assert.rejects(readChanges(database(), { table: 'none', reader }, 0), { code: 'no_such_table' })
  })
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
