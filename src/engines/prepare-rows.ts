import { type Compilable, type Expression, type Kysely, sql } from 'kysely'
import type { Db, Tables } from './metadata/index.ts'
import { Compiled, Parameter } from './metadata/prepare.ts'

/** Databases limit the number of values in a statement. */
const MAX_ROWS = 128

/**
 * As `prepare`, for statements about many rows. There is one for each power of two: 100 rows take those for 64, 32 and 4.
 * Answers what all of them return.
 */
export function prepareRows<V extends object, R>(
  build: (db: Db, rows: readonly V[]) => Compilable<R>
): (db: Db, rows: readonly V[]) => Promise<R[]> {
  const bySize = new Map<number, Compiled<R>>()
  const ofSize = (size: number) => {
    let compiled = bySize.get(size)
    if (compiled === undefined) {
      compiled = new Compiled((db) =>
        build(
          db,
          Array.from({ length: size }, (_, row) => parametersOf(row) as V)
        )
      )
      bySize.set(size, compiled)
    }
    return compiled
  }
  return async (db, rows) => {
    const answers: R[] = []
    for (let from = 0; from < rows.length; ) {
      const size = Math.min(2 ** Math.floor(Math.log2(rows.length - from)), MAX_ROWS)
      const some = rows.slice(from, from + size) as readonly Readonly<Record<string, unknown>>[]
      for (const answer of await ofSize(size).run(db, ({ row, name }) => some[row]?.[name])) answers.push(answer)
      from += size
    }
    return answers
  }
}

const parametersOf = (row: number) => new Proxy({}, { get: (_target, name) => new Parameter(String(name), row) })

type Cell = string | number | null

/** Adds rows, with these columns. */
export function prepareInserts<T extends keyof Tables>(
  table: T,
  columns: readonly string[],
  { skipsKnown = false }: { readonly skipsKnown?: boolean } = {}
): (db: Db, rows: readonly object[]) => Promise<unknown[]> {
  return prepareRows((db, rows: readonly Readonly<Record<string, Cell>>[]) => {
    const values = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
    const insert = db.insertInto(table).values(values as never)
    return skipsKnown ? insert.onConflict((conflict) => conflict.doNothing()) : insert
  }) as (db: Db, rows: readonly object[]) => Promise<unknown[]>
}

/**
 * Reads rows by their ids, and answers those that there are. Where it locks them it does so in one order, so that two that
 * lock the same never wait for each other.
 */
export function prepareFinds<R extends { readonly id: string }>(
  table: keyof Tables,
  { locks = false }: { readonly locks?: boolean } = {}
): (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, R>> {
  const find = prepareRows((db, rows: readonly { readonly id: string }[]) => {
    const ids = rows.map(({ id }) => id)
    const select = (db as never as UntypedDb).selectFrom(table).selectAll().where('id', 'in', ids)
    return locks ? select.orderBy('id').forUpdate() : select
  })
  return async (db, ids) => {
    const found = await find(db, rowsOf(ids))
    return new Map((found as never as readonly R[]).map((row) => [row.id, row]))
  }
}

/** Ids as a statement about many rows takes them, each once and in one order. */
export const rowsOf = (ids: readonly string[]): { id: string }[] => [...new Set(ids)].sort().map((id) => ({ id }))

/** Gives each row, which is known by its `id`, values of its own. The caller has locked the rows, in one order everywhere. */
export function prepareUpdates(
  table: keyof Tables,
  columns: Readonly<Record<string, 'text' | 'integer'>>
): (db: Db, rows: readonly object[]) => Promise<unknown[]> {
  const names = Object.keys(columns)
  const given = `given(id, ${names.join(', ')})`
  // What is given as a value in a list of them is text to PostgreSQL.
  const cellOf = (name: string): Expression<unknown> =>
    columns[name] === 'text' ? sql.ref(`given.${name}`) : sql`cast(${sql.ref(`given.${name}`)} as bigint)`
  return prepareRows((db, rows: readonly Readonly<Record<string, Cell>>[]) => {
    const list = sql.join(rows.map((row) => sql`(${sql.join(['id', ...names].map((name) => row[name]))})`))
    const update = (db as never as UntypedDb).with(given, () => sql`(values ${list})`).updateTable(table)
    return update
      .from('given')
      .set(Object.fromEntries(names.map((name) => [name, cellOf(name)])))
      .whereRef(`${table}.id`, '=', 'given.id')
  }) as (db: Db, rows: readonly object[]) => Promise<unknown[]>
}

type UntypedDb = Kysely<Record<string, Record<string, Cell>>>
