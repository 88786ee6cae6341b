// Both: pages follow the order that the database has.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { startTestApp } from '../../test/support/app.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/support/database.ts'
import type { Metadata, Migration } from '../engines/metadata/index.ts'
import { Problem } from '../errors.ts'
import { contains, fetchPage } from './paging.ts'

const RUNS = postgresUrl === undefined ? 150 : 60

interface Row {
  id: string
  name: string
  size: number
}
type PagedDb = Kysely<{ paged: Row }>

const pagedMigration: Migration = {
  id: 'test/001-paged',
  async up(db, type) {
    await db.schema
      .createTable('paged')
      .addColumn('id', type.text, (column) => column.primaryKey())
      .addColumn('name', type.text, (column) => column.notNull())
      .addColumn('size', type.integer, (column) => column.notNull())
      .execute()
  }
}

const COLUMNS = { id: 'id', name: 'name', size: 'size' } as const
const listing = { sorts: COLUMNS, id: 'id', integers: ['size'] } as const

const text = fc.oneof(
  fc.constantFrom('a', 'A', 'aa', 'Ab', 'Z', 'z', 'ä', 'Ä', 'é', '%', '_', '\\', 'a%b', 'a_b', 'a\\b', '😀', '￿'),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((candidate) => !candidate.includes('\0'))
)
const rows = fc.array(fc.record({ name: text, size: fc.integer({ min: -3, max: 3 }) }), { maxLength: 25 })
const request = fc.record(
  {
    sort: fc.constantFrom('id', '-id', 'name', '-name', 'size', '-size'),
    limit: fc.integer({ min: 1, max: 6 }),
    q: text.filter((part) => part !== '')
  },
  { requiredKeys: ['limit'] }
)
/** What others do between two pages. */
const edits = fc.array(fc.record({ add: rows, remove: fc.array(fc.nat(100), { maxLength: 4 }) }), { maxLength: 4 })

type Request = { sort?: string; limit: number; q?: string }

const lower = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const matches = (row: Row, { q }: Request) => q === undefined || lower(row.name).includes(lower(q))

function compare(a: Row, b: Row, sort = 'id'): number {
  const column = sort.replace('-', '') as keyof Row
  const [left, right] = [a[column], b[column]]
  const order =
    typeof left === 'number' ? left - (right as number) : Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
  return (sort.startsWith('-') ? -1 : 1) * (order || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
}

describe('pages of a list', () => {
  let database: TestDatabase
  let metadata: Metadata
  let made = 0

  before(async () => {
    database = await createTestDatabase()
    metadata = await database.open()
    await metadata.migrate([pagedMigration])
  })
  after(async () => {
    await metadata.close()
    await database.drop()
  })

  const change = <T>(work: (tx: PagedDb) => Promise<T>) => metadata.transaction((tx) => work(tx as never))

  /** Adds rows under identifiers that are spread over the order, so that some come before the cursor. */
  async function add(tx: PagedDb, values: readonly Omit<Row, 'id'>[]): Promise<Row[]> {
    const added = values.map((value) => ({ id: `${(made * 7919) % 100}_${made++}`, ...value }))
    if (added.length > 0) await tx.insertInto('paged').values(added).execute()
    return added
  }

  function fetch({ q, ...rest }: Request & { cursor?: string }) {
    const db = metadata.db as unknown as PagedDb
    const all = db.selectFrom('paged').selectAll()
    return fetchPage(q === undefined ? all : all.where(contains('name', q) as never), rest, listing)
  }

  async function fill(values: readonly Omit<Row, 'id'>[]): Promise<Map<string, Row>> {
    const added = await change(async (tx) => {
      await tx.deleteFrom('paged').execute()
      return add(tx, values)
    })
    return new Map(added.map((row) => [row.id, row]))
  }

  it('show every row that stays exactly once and in order, whatever comes and goes meanwhile', async () => {
    const property = fc.asyncProperty(rows, request, edits, async (initial, asked, between) => {
      const present = await fill(initial)
      const everPresent = new Map(present)
      const steady = new Map(present)
      const total = [...present.values()].filter((row) => matches(row, asked)).length
      const seen: Row[] = []
      const waiting = [...between]
      let cursor: string | undefined
      for (;;) {
        const page = await fetch({ ...asked, ...(cursor !== undefined && { cursor }) })
        assert.equal(page.total, total)
        assert.ok(page.rows.length <= asked.limit)
        seen.push(...page.rows)
        assert.ok(seen.length <= everPresent.size, 'the pages never end')
        if (page.nextCursor === null) break
        assert.equal(page.rows.length, asked.limit)
        cursor = page.nextCursor
        const edit = waiting.shift()
        if (edit === undefined) continue
        const gone = edit.remove.map((index) => [...present.keys()][index % Math.max(1, present.size)] ?? '')
        const added = await change(async (tx) => {
          await tx
            .deleteFrom('paged')
            .where('id', 'in', ['', ...gone])
            .execute()
          return add(tx, edit.add)
        })
        for (const id of gone) for (const rows of [present, steady]) rows.delete(id)
        for (const row of added) for (const rows of [present, everPresent]) rows.set(row.id, row)
      }
      for (const [index, row] of seen.entries()) {
        assert.deepEqual({ ...row }, everPresent.get(row.id))
        assert.ok(matches(row, asked))
        const previous = seen[index - 1]
        if (previous !== undefined) assert.ok(compare(previous, row, asked.sort) < 0, `${previous.id} before ${row.id}`)
      }
      const ids = new Set(seen.map(({ id }) => id))
      for (const row of steady.values()) if (matches(row, asked)) assert.ok(ids.has(row.id), `${row.id} was left out`)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it('go on with a cursor of their own order only', async () => {
    await fill(Array.from({ length: 5 }, (_, size) => ({ name: 'same', size })))
    const { nextCursor } = await fetch({ sort: 'name', limit: 2 })
    const cursor = nextCursor as string
    assert.equal((await fetch({ sort: 'name', limit: 2, cursor })).rows.length, 2)
    for (const sort of ['-name', 'size', 'id', undefined]) {
      await assert.rejects(fetch({ ...(sort && { sort }), limit: 2, cursor }), isRefusedCursor)
    }
  })

  const forged = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
  const good = { s: 'size', k: 1, i: 'x', t: 3 }
  const forgeries: Record<string, string> = {
    'is empty': '',
    'is no base64': '!!!',
    'is no JSON': Buffer.from('{').toString('base64url'),
    'is null': forged(null),
    'is a list': forged([]),
    'lacks its place': forged({ s: 'size', t: 3 }),
    'has text where the column has numbers': forged({ ...good, k: 'abc' }),
    'has a fraction where the column has whole numbers': forged({ ...good, k: 1.5 }),
    'has a number beyond all': forged({ ...good, k: 1e300 }),
    'has an object for a place': forged({ ...good, k: {} }),
    'holds a NUL character': forged({ ...good, i: 'a\0b' }),
    'has a fraction of a total': forged({ ...good, t: 0.5 }),
    'has a total below nothing': forged({ ...good, t: -1 })
  }
  for (const [what, cursor] of Object.entries(forgeries)) {
    it(`refuse a cursor that ${what}`, async () => {
      await assert.rejects(fetch({ sort: 'size', limit: 2, cursor }), isRefusedCursor)
    })
  }

  it('refuse a number as the place in a text column', async () => {
    await assert.rejects(fetch({ sort: 'name', limit: 2, cursor: forged({ ...good, s: 'name' }) }), isRefusedCursor)
  })
})

describe('a cursor', () => {
  it('survives a restart, and the longest and strangest of names', async () => {
    const first = await startTestApp()
    const path = '/api/classification/resources'
    const beginning = 'object://b/\u0001"'
    const ends = ['\u0001', '"', '字', '😀'].map((end) => end.repeat((1200 - beginning.length) / end.length))
    for (const end of ends) {
      const body = { resource: beginning + end, level: 'internal' }
      assert.equal((await first.call('POST', path, { as: 'editor', body })).status, 201)
    }
    const page = await first.call('GET', `${path}?sort=-resource&limit=1`, { as: 'viewer' })
    const second = await first.reopen()
    try {
      const seen = [page.body.resources[0].resource]
      for (let cursor = page.body.nextCursor; cursor !== null; ) {
        const next = await second.call('GET', `${path}?sort=-resource&limit=1&cursor=${cursor}`, { as: 'viewer' })
        assert.equal(next.status, 200, next.text)
        assert.equal(next.body.total, ends.length)
        seen.push(next.body.resources[0].resource)
        cursor = next.body.nextCursor
      }
      assert.deepEqual(
        seen,
        ends.toReversed().map((end) => beginning + end)
      )
    } finally {
      await second.close()
    }
  })
})

function isRefusedCursor(error: unknown): boolean {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.code, 'invalid_request')
  assert.equal(error.errors?.[0]?.pointer, '/query/cursor')
  return true
}
