// Both: the metadata engine itself.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { inserts, prepareFinds, prepareInserts, prepareTogether, prepareUpdates, saves } from '../prepare-rows.ts'
import { type Db, type Metadata, type Migration, prepare, type Tables } from './index.ts'

interface Item {
  id: string
  name: string | null
  size: number
}
type ItemDb = Kysely<{ items: Item }>
const items = (db: Db) => db as unknown as ItemDb

const itemsMigration: Migration = {
  id: 'test/001-items',
  async up(db, type) {
    for (const table of ['items', 'other_items']) {
      await db.schema
        .createTable(table)
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text)
        .addColumn('size', type.integer, (column) => column.notNull())
        .execute()
    }
  }
}

const text = fc.oneof(
  fc.constantFrom("x'; drop table items; --", '', 'ü', '?', '$1'),
  fc.stringMatching(/^[a-z]{1,5}$/)
)
const cells = fc.record({ name: fc.option(text), size: fc.maxSafeInteger() })

describe('a prepared statement', () => {
  let database: TestDatabase
  let metadata: Metadata
  const builds = { insert: 0, find: 0 }

  const insert = prepare((db, row: Item) => {
    builds.insert++
    return items(db).insertInto('items').values({ id: row.id, name: row.name, size: row.size }).returningAll()
  })
  const find = prepare((db, { least, name }: { least: number; name: string }) => {
    builds.find++
    return items(db)
      .selectFrom('items')
      .select(['id', 'size'])
      .where('size', '>=', least)
      .where((or) => or.or([or('name', '=', name), or('name', '=', 'always')]))
      .orderBy('id')
      .limit(10)
  })
  const plain = (rows: object[]) => rows.map((row) => ({ ...row }))

  before(async () => {
    database = await createTestDatabase()
    metadata = await database.open()
    await metadata.migrate([itemsMigration])
  })
  after(async () => {
    await metadata.close()
    await database.drop()
  })

  it('is built once and run with other values each time', async () => {
    const rows = [
      { id: 'a', name: 'x', size: 1 },
      { id: 'b', name: "x'; drop table items; --", size: 2 ** 53 - 1 },
      { id: 'c', name: null, size: 3 },
      { id: 'd', name: 'always', size: 4 }
    ]
    for (const row of rows) {
      assert.deepEqual(plain(await metadata.transaction((tx) => insert(tx, row))), [row])
    }
    assert.equal(builds.insert, 1)
    assert.deepEqual(plain(await find(metadata.db, { least: 0, name: 'x' })), [
      { id: 'a', size: 1 },
      { id: 'd', size: 4 }
    ])
    assert.deepEqual(plain(await find(metadata.db, { least: 5, name: "x'; drop table items; --" })), [
      { id: 'b', size: 2 ** 53 - 1 }
    ])
    assert.deepEqual(await find(metadata.db, { least: 5, name: 'nobody' }), [])
    assert.equal(builds.find, 1)
  })

  it('does not mix up values of calls at the same time', async () => {
    const numbers = Array.from({ length: 200 }, (_, size) => size)
    await Promise.all(
      numbers.map((size) => metadata.transaction((tx) => insert(tx, { id: `n${size}`, name: `n${size}`, size })))
    )
    const found = await Promise.all(numbers.map((size) => find(metadata.db, { least: size, name: `n${size}` })))
    for (const [size, rows] of found.entries()) {
      assert.ok(rows.some((row) => row.id === `n${size}` && row.size === size))
    }
    assert.equal(builds.insert, 1)
  })

  it('belongs to the transaction it is run in', async () => {
    const failed = metadata.transaction(async (tx) => {
      await insert(tx, { id: 'undone', name: 'undone', size: 1 })
      assert.equal((await find(tx, { least: 0, name: 'undone' })).length, 2)
      throw new Error('undo')
    })
    await assert.rejects(failed, /undo/)
    assert.deepEqual(plain(await find(metadata.db, { least: 0, name: 'undone' })), [{ id: 'd', size: 4 }])
  })

  it('is built anew for another database', async () => {
    const other = await createTestDatabase()
    const otherMetadata = await other.open()
    try {
      await otherMetadata.migrate([itemsMigration])
      assert.deepEqual(await find(otherMetadata.db, { least: 0, name: 'x' }), [])
    } finally {
      await otherMetadata.close()
      await other.drop()
    }
  })

  const ITEMS = 'items' as keyof Tables
  const insertAll = prepareInserts(ITEMS, ['id', 'name', 'size'])
  const insertNew = prepareInserts(ITEMS, ['id', 'name', 'size'], { skipsKnown: true })
  const update = prepareUpdates(ITEMS, { name: 'text', size: 'integer' })
  const findAll = prepareFinds<Item>(ITEMS)

  it('many rows are added, found and changed, each with values of its own', async () => {
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cells, cells, fc.boolean()), { maxLength: 300 }), async (rows) => {
        made += 1
        const idOf = (at: number) => `${made}-${String(at).padStart(3, '0')}`
        const before = rows.map(([row], at) => ({ ...row, id: idOf(at) }))
        const changes = rows.flatMap(([, row, changes], at) => (changes ? [{ ...row, id: idOf(at) }] : []))
        await metadata.transaction(async (tx) => {
          await insertAll(tx, before)
          await update(tx, changes)
        })
        const changed = new Map(changes.map((row) => [row.id, row]))
        const found = [...(await findAll(metadata.db, [...before.map(({ id }) => id), 'nobody'])).values()]
        const plain = found.map(({ id, name, size }) => ({ name, size, id })).sort((a, b) => (a.id < b.id ? -1 : 1))
        assert.deepEqual(
          plain,
          before.map((row) => changed.get(row.id) ?? row)
        )
      }),
      { numRuns: 30 }
    )
  })

  it('half a character becomes the sign for what can not be shown', async () => {
    await metadata.transaction((tx) => insertAll(tx, [{ id: 'half', name: 'a\ud83d "\\ud83d" \u{1f600}', size: 1 }]))
    const [found] = (await findAll(metadata.db, ['half'])).values()
    assert.equal(found?.name, 'a\ufffd "\\ud83d" \u{1f600}')
  })

  it('a row that is there already is left as it is where that is wanted, and refused where not', async () => {
    const row = { id: 'known', name: 'first', size: 1 }
    const rows = [row, { ...row, name: 'second' }, { ...row, id: 'new' }]
    await assert.rejects(metadata.transaction((tx) => insertAll(tx, rows)))
    await metadata.transaction((tx) => insertNew(tx, rows))
    const found = [...(await findAll(metadata.db, ['known', 'new'])).values()]
    assert.deepEqual(found.map(({ id, name }) => `${id} ${name}`).sort(), ['known first', 'new first'])
  })

  it('rows of several tables are written together, whichever of them have any, and however many', async () => {
    const rowsOf = async (table: 'items' | 'other_items') =>
      (await metadata.db
        .selectFrom(table as never)
        .selectAll()
        .execute()) as unknown as Item[]
    const columns = ['id', 'name', 'size']
    const write = prepareTogether([
      inserts(ITEMS, columns, { skipsKnown: true }),
      saves('other_items' as keyof Tables, ['id'], columns)
    ])
    const some = (count: number, name: string) =>
      Array.from({ length: count }, (_, n) => ({ id: `together-${n}`, name, size: n }))
    const { length: before } = await rowsOf('items')
    for (const [items, others] of [
      [0, 0],
      [0, 2],
      [3, 0],
      [1500, 1],
      [2, 2100]
    ] as const) {
      await metadata.transaction((tx) => write(tx, [some(items, 'item'), some(others, `${others}`)]))
    }
    assert.equal((await rowsOf('items')).length - before, 1500)
    const others = await rowsOf('other_items')
    assert.equal(others.length, 2100)
    assert.ok(others.every(({ name }) => name === '2100'))
  })
})
