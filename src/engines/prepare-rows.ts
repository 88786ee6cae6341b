import { type Compilable, type Expression, type InsertQueryBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import { type Db, slices, type Tables } from './metadata/index.ts'
import { Compiled, Parameter, prepare } from './metadata/prepare.ts'

/** Databases limit the number of values in a statement: of what is written there are many in a row. */
const MAX_ROWS = 128
const MAX_FOUND = 512
/** As one value they are no more than a long text. */
const MAX_IN_ONE = 1000

/**
 * As `prepare`, for statements about many rows. There is one for each power of two: 100 rows take those for 64, 32 and 4.
 * Answers what all of them return.
 */
export const prepareRows = <V extends object, R>(
  build: (db: Db, rows: readonly V[]) => Compilable<R>
): ((db: Db, rows: readonly V[]) => Promise<R[]>) =>
  inPowers(build, (left) => Math.min(2 ** Math.floor(Math.log2(left)), MAX_ROWS))

/**
 * As `prepareRows`, for statements to which it is all the same whether a row is given twice: 100 rows take that for 128, with the
 * last of them repeated, and so one way to the database and back.
 */
export const prepareReads = <V extends object, R>(
  build: (db: Db, rows: readonly V[]) => Compilable<R>
): ((db: Db, rows: readonly V[]) => Promise<R[]>) =>
  inPowers(build, (left) => Math.min(2 ** Math.ceil(Math.log2(left)), MAX_FOUND))

function inPowers<V extends object, R>(
  build: (db: Db, rows: readonly V[]) => Compilable<R>,
  powerFor: (left: number) => number
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
      const size = powerFor(rows.length - from)
      const some = rows.slice(from, from + size) as readonly Readonly<Record<string, unknown>>[]
      const cellOf = ({ row, name }: Parameter) => (some[row] ?? some.at(-1))?.[name]
      for (const answer of await ofSize(size).run(db, cellOf)) answers.push(answer)
      from += size
    }
    return answers
  }
}

const parametersOf = (row: number) => new Proxy({}, { get: (_target, name) => new Parameter(String(name), row) })

type Cell = string | number | null
type Row = Readonly<Record<string, Cell>>

/** Adds rows, with these columns. */
export function prepareInserts<T extends keyof Tables>(
  table: T,
  columns: readonly string[],
  { skipsKnown = false }: { readonly skipsKnown?: boolean } = {}
): (db: Db, rows: readonly object[]) => Promise<unknown> {
  return prepareWrites(table, columns, (insert) =>
    skipsKnown ? insert.onConflict((conflict) => conflict.doNothing()) : insert
  )
}

/** Adds rows, with these columns; one with the same key is overwritten. */
export function prepareSaves<T extends keyof Tables>(
  table: T,
  key: readonly string[],
  columns: readonly string[]
): (db: Db, rows: readonly object[]) => Promise<unknown> {
  const others = columns.filter((column) => !key.includes(column))
  const news = Object.fromEntries(others.map((column) => [column, sql.ref(`excluded.${column}`)]))
  return prepareWrites(table, columns, (insert) =>
    insert.onConflict((conflict) => conflict.columns(key as string[]).doUpdateSet(news as never))
  )
}

type Insert = InsertQueryBuilder<Record<string, Row>, string, unknown>

/**
 * To SQLite each value is given by itself. PostgreSQL gets all rows as one, so that however many there are it is one
 * statement, and one way there and back.
 */
function prepareWrites(
  table: keyof Tables,
  columns: readonly string[],
  settle: (insert: Insert) => Compilable<unknown>
): (db: Db, rows: readonly object[]) => Promise<unknown> {
  const into = (db: Db) => (db as never as UntypedDb).insertInto(table)
  const each = prepareRows((db, rows: readonly Row[]) =>
    settle(into(db).values(rows.map((row) => cellsOf(row, columns))) as never)
  )
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const all = prepare((db, { rows }: { readonly rows: string }) => {
    const given = sql`select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
    return settle(
      into(db)
        .columns(columns)
        .expression(given as never) as never
    )
  })
  return async (db, rows) => {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return each(db, rows as readonly Row[])
    for (const some of slices(rows as readonly Row[], MAX_IN_ONE)) {
      await all(db, { rows: JSON.stringify(some.map((row) => storable(row, columns))) })
    }
  }
}

/** JSON of PostgreSQL has no halves of characters, which as values of their own become the sign for what can't be shown. */
const storable = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(
    columns.map((column) => {
      const cell = row[column] as Cell
      return [column, typeof cell === 'string' ? cell.toWellFormed() : cell]
    })
  )

const cellsOf = (row: Row, columns: readonly string[]): Record<string, Cell> =>
  Object.fromEntries(columns.map((column) => [column, row[column] as Cell]))

/**
 * Reads rows by their ids, and answers those that there are. Where it locks them it does so in one order, so that two that
 * lock the same never wait for each other.
 */
export function prepareFinds<R extends { readonly id: string }>(
  table: keyof Tables,
  { locks = false }: { readonly locks?: boolean } = {}
): (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, R>> {
  const find = prepareReads((db, rows: readonly { readonly id: string }[]) => {
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
  return prepareRows((db, rows: readonly Row[]) => {
    const list = sql.join(rows.map((row) => sql`(${sql.join(['id', ...names].map((name) => row[name]))})`))
    const update = (db as never as UntypedDb).with(given, () => sql`(values ${list})`).updateTable(table)
    return update
      .from('given')
      .set(Object.fromEntries(names.map((name) => [name, cellOf(name)])))
      .whereRef(`${table}.id`, '=', 'given.id')
  }) as (db: Db, rows: readonly object[]) => Promise<unknown[]>
}

type UntypedDb = Kysely<Record<string, Record<string, Cell>>>
