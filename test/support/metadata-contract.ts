import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import {
  type Db,
  isUnavailable,
  isUniqueViolation,
  type Metadata,
  type Migration
} from '../../src/engines/metadata/index.ts'
import { ANY_CHARACTER } from './any-character.ts'
import type { TestDatabase } from './database.ts'

/** The one table of these tests: a key and a number. */
export interface ThingsTable {
  things: { k: string; n: number }
}

export const thingsMigration: Migration = {
  id: 'things/001-things',
  async up(db, type) {
    const table = db.schema.createTable('things').addColumn('k', type.text, (column) => column.primaryKey())
    await table.addColumn('n', type.integer, (column) => column.notNull()).execute()
  }
}

export const things = (db: Db) => db as unknown as Kysely<ThingsTable>

export async function insertThing(tx: Db, k: string, n = 0): Promise<void> {
  await things(tx).insertInto('things').values({ k, n }).execute()
}

export async function readThings(db: Db): Promise<[string, number][]> {
  const rows = await things(db).selectFrom('things').selectAll().orderBy('k').execute()
  return rows.map(({ k, n }) => [k, n])
}

type Create = () => Promise<Pick<TestDatabase, 'open' | 'drop'>>

/** The tests of transactions and values that every database behind `Metadata` has to pass. */
export function metadataContract(name: string, create: Create): void {
  describe(`metadata on ${name}`, () => {
    let database: Awaited<ReturnType<Create>>
    let metadata: Metadata
    before(async () => {
      database = await create()
      metadata = await database.open()
      await metadata.migrate([thingsMigration])
    })
    beforeEach(async () => {
      await metadata.transaction((tx) => things(tx).deleteFrom('things').execute())
    })
    after(async () => {
      await metadata.close()
      await database.drop()
    })
    describe('transactions', () => transactionTests(() => metadata))
    describe('failures', () => failureTests(() => metadata))
    describe('values', () => valueTests(() => metadata))
  })
}

function transactionTests(metadata: () => Metadata): void {
  test('a resolved transaction is seen by the next read and answers what its work did', async () => {
    for (let n = 0; n < 50; n++) {
      const answer = await metadata().transaction(async (tx) => {
        await insertThing(tx, String(n), n)
        return n
      })
      assert.equal(answer, n)
      assert.equal((await readThings(metadata().db)).length, n + 1)
    }
  })

  test('of 500 at once, exactly those that did not throw are there', async () => {
    const numbers = Array.from({ length: 500 }, (_, n) => n)
    const outcomes = await Promise.allSettled(
      numbers.map((n) =>
        metadata().transaction(async (tx) => {
          await insertThing(tx, `${n}`.padStart(3, '0'), n)
          if (n % 7 === 0) throw new Error(`failed ${n}`)
        })
      )
    )
    for (const n of numbers) {
      const outcome = outcomes[n]
      if (n % 7 !== 0) assert.equal(outcome?.status, 'fulfilled')
      else assert.match(String(outcome?.status === 'rejected' && outcome.reason), new RegExp(`failed ${n}$`))
    }
    const kept = (await readThings(metadata().db)).map(([, n]) => n)
    assert.deepEqual(
      kept,
      numbers.filter((n) => n % 7 !== 0)
    )
  })

  test('counters read with `for update` lose no increment', async () => {
    await metadata().transaction((tx) => insertThing(tx, 'counter'))
    const increment = async (tx: Db) => {
      const counter = things(tx).selectFrom('things').select('n').where('k', '=', 'counter').forUpdate()
      const { n } = await counter.executeTakeFirstOrThrow()
      const update = things(tx).updateTable('things').where('k', '=', 'counter')
      await update.set({ n: n + 1 }).execute()
    }
    await Promise.all(Array.from({ length: 200 }, () => metadata().transaction(increment)))
    assert.deepEqual(await readThings(metadata().db), [['counter', 200]])
  })
}

function failureTests(metadata: () => Metadata): void {
  test('a transaction that throws leaves nothing, even of statements it still had under way', async () => {
    await metadata().transaction((tx) => insertThing(tx, 'taken'))
    const insertTwo = async (tx: Db) => {
      await insertThing(tx, 'early')
      await insertThing(tx, 'late')
    }
    const outcomes = await Promise.allSettled([
      metadata().transaction((tx) => Promise.all([insertThing(tx, 'taken'), insertTwo(tx)])),
      metadata().transaction((tx) => insertThing(tx, 'neighbour'))
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled']
    )
    assert.deepEqual(
      (await readThings(metadata().db)).map(([k]) => k),
      ['neighbour', 'taken']
    )
  })

  test('work that throws before its first statement is a rejection', async () => {
    const work = () => {
      throw new Error('at once')
    }
    await assert.rejects(metadata().transaction(work), /at once/)
    await metadata().transaction((tx) => insertThing(tx, 'after'))
  })

  test('a name that is taken is told from other faults', async () => {
    await metadata().transaction((tx) => insertThing(tx, 'a'))
    const taken = await failureOf(metadata().transaction((tx) => insertThing(tx, 'a')))
    assert.ok(isUniqueViolation(taken))
    assert.ok(!isUnavailable(taken))
    const missing = await failureOf(
      metadata().transaction((tx) => sql`insert into things (k) values ('b')`.execute(tx))
    )
    assert.ok(!isUniqueViolation(missing))
    assert.ok(!isUnavailable(missing))
  })
}

function valueTests(metadata: () => Metadata): void {
  test('text is ordered byte by byte', async () => {
    const names = ['Z', '_', 'a', 'a b', 'a-b', 'aa', 'b', 'ä', '\u{ffee}', '\u{1f600}']
    await metadata().transaction(async (tx) => {
      for (const name of names.toReversed()) await insertThing(tx, name)
    })
    assert.deepEqual(
      (await readThings(metadata().db)).map(([k]) => k),
      names
    )
    const above = things(metadata().db).selectFrom('things').select('k').where('k', '>', '_').where('k', '<', 'b')
    assert.deepEqual(
      (await above.orderBy('k').execute()).map(({ k }) => k),
      ['a', 'a b', 'a-b', 'aa']
    )
  })

  test('any text comes back as it was, in the order of its bytes', async () => {
    const text = fc.string({ unit: ANY_CHARACTER }).filter((value) => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { maxLength: 20 }), async (texts) => {
        await metadata().transaction(async (tx) => {
          await things(tx).deleteFrom('things').execute()
          for (const value of texts) await insertThing(tx, value)
        })
        const expected = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        assert.deepEqual(
          (await readThings(metadata().db)).map(([k]) => k),
          expected
        )
      }),
      { numRuns: 50 }
    )
  })

  test('whole numbers to 2^53 - 1 come back as numbers, sums and counts too', async () => {
    const numbers = [Number.MIN_SAFE_INTEGER, -1, 0, 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]
    await metadata().transaction(async (tx) => {
      for (const n of numbers) await insertThing(tx, String(n), n)
    })
    const stored = await things(metadata().db).selectFrom('things').select('n').orderBy('n').execute()
    assert.deepEqual(
      stored.map(({ n }) => n),
      numbers
    )
    const { rows } = await sql<{
      c: number
      s: number
    }>`select count(*) as c, sum(n) as s from things where n between 1 and 9999999999`.execute(metadata().db)
    assert.deepEqual({ ...rows[0] }, { c: 3, s: 1 + 2 ** 31 + 2 ** 32 })
  })
}

/** The error that a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const fulfilled = Symbol()
  const outcome = await promise.then(
    () => fulfilled,
    (error: unknown) => error
  )
  assert.notEqual(outcome, fulfilled, 'it was expected to fail')
  return outcome
}
