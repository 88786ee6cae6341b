import {
  type Compilable,
  type Expression,
  type InsertQueryBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql
} from 'kysely'
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

/** What is done with rows of a table that are given, with these columns. */
export interface Write {
  readonly table: keyof Tables
  readonly columns: readonly string[]
  settle(insert: Insert): Compilable<unknown>
}

/** Adds rows. */
export const inserts = (
  table: keyof Tables,
  columns: readonly string[],
  { skipsKnown = false }: { readonly skipsKnown?: boolean } = {}
): Write => ({
  table,
  columns,
  settle: (insert) => (skipsKnown ? insert.onConflict((conflict) => conflict.doNothing()) : insert)
})

/** Adds rows; one with the same key is overwritten. */
export function saves(table: keyof Tables, key: readonly string[], columns: readonly string[]): Write {
  const others = columns.filter((column) => !key.includes(column))
  const news = Object.fromEntries(others.map((column) => [column, sql.ref(`excluded.${column}`)]))
  return {
    table,
    columns,
    settle: (insert) => insert.onConflict((conflict) => conflict.columns(key as string[]).doUpdateSet(news as never))
  }
}

type Insert = InsertQueryBuilder<Record<string, Row>, string, unknown>

export const prepareInserts = (
  ...[table, columns, options]: Parameters<typeof inserts>
): ((db: Db, rows: readonly object[]) => Promise<void>) => alone(inserts(table, columns, options))

export const prepareSaves = (
  ...[table, key, columns]: Parameters<typeof saves>
): ((db: Db, rows: readonly object[]) => Promise<void>) => alone(saves(table, key, columns))

function alone(write: Write): (db: Db, rows: readonly object[]) => Promise<void> {
  const all = prepareTogether([write])
  return (db, rows) => all(db, [rows])
}

/**
 * Writes to several tables, none of which depends on another. To SQLite each value is given by itself. PostgreSQL gets all rows of a
 * table as one, so that however many rows and tables there are it is one statement, and one way there and back.
 */
export function prepareTogether(
  writes: readonly Write[]
): (db: Db, rows: readonly (readonly object[])[]) => Promise<void> {
  const each = writes.map(({ table, columns, settle }) =>
    prepareRows((db, rows: readonly Row[]) =>
      settle(into(db, table).values(rows.map((row) => cellsOf(row, columns))) as never)
    )
  )
  // One statement for each choice of tables that have rows.
  const some = new Map<string, ReturnType<typeof prepareJson>>()
  return async (db, rows) => {
    if (!isPostgres(db)) {
      for (const [number, write] of each.entries()) await write(db, rows[number] as readonly Row[])
      return
    }
    const longest = Math.max(...rows.map(({ length }) => length))
    for (let from = 0; from < longest; from += MAX_IN_ONE) {
      const texts = writes.map(({ columns }, number) => textOf(rows[number]?.slice(from, from + MAX_IN_ONE), columns))
      const chosen = writes.flatMap((_, number) => (texts[number] === undefined ? [] : [number]))
      const write = some.getOrInsertComputed(chosen.join(), () => prepareJson(writes, chosen))
      await write(db, texts)
    }
  }
}

/** The rows as one value; undefined where there are none. */
function textOf(rows: readonly object[] = [], columns: readonly string[]): string | undefined {
  return rows.length === 0 ? undefined : JSON.stringify(rows.map((row) => storable(row as Row, columns)))
}

/** A statement that writes to those of the tables that are chosen by their numbers, the rows of each from one value. */
function prepareJson(
  writes: readonly Write[],
  chosen: readonly number[]
): (db: Db, texts: readonly (string | undefined)[]) => Promise<unknown> {
  const written = (db: Db, number: number, text: string | undefined): Compilable<unknown> => {
    const { table, columns, settle } = writes[number] as Write
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const given = sql`select ${names} from json_populate_recordset(null::${sql.table(table)}, ${text}::json)`
    return settle(
      into(db, table)
        .columns(columns)
        .expression(given as never) as never
    )
  }
  const [last, ...others] = chosen.toReversed()
  return prepare((db, texts: readonly (string | undefined)[]) => {
    const first = others.reduce(
      (before, number) => before.with(`write_${number}`, () => written(db, number, texts[number]) as never) as never,
      db
    )
    return written(first, last as number, texts[last as number])
  })
}

const into = (db: Db, table: keyof Tables) => (db as never as UntypedDb).insertInto(table)

/** JSON of PostgreSQL has no halves of characters, which as values of their own become the sign for what can't be shown. */
function storable(row: Row, columns: readonly string[]): Row {
  const cells: Record<string, Cell> = {}
  for (const column of columns) {
    const cell = row[column] as Cell
    cells[column] = typeof cell === 'string' ? cell.toWellFormed() : cell
  }
  return cells
}

const cellsOf = (row: Row, columns: readonly string[]): Record<string, Cell> =>
  Object.fromEntries(columns.map((column) => [column, row[column] as Cell]))

/**
 * Reads rows of a table by their keys, of one or some columns. Their values come to the databases as with `prepareTogether`.
 * PostgreSQL goes from each key to its row, in the order of the keys, whatever it believes of the table: it would rather read
 * all of one of which it has not counted the rows, and plans a join for longer than it takes.
 */
export function prepareLookups<K extends object, R>(
  table: keyof Tables,
  key: readonly (keyof K & string)[],
  build: (db: Db, isGiven: RawBuilder<boolean>) => SelectQueryBuilder<never, never, R>
): (db: Db, keys: readonly K[]) => Promise<R[]> {
  const names = sql.join(key.map((column) => sql.ref(column)))
  const each = prepareReads((db, rows: readonly K[]) => {
    const list = sql.join(rows.map((row) => sql`(${sql.join(key.map((column) => row[column]))})`))
    return build(db, sql<boolean>`(${names}) in (values ${list})`)
  })
  const inOne = prepare((db, { text }: { text: string }) => {
    const rows = sql`json_populate_recordset(null::${sql.table(table)}, ${text}::json)`
    const given = sql`(select distinct ${names} from ${rows} order by ${names})`
    const ofGiven = sql.join(key.map((column) => sql.ref(`given.${column}`)))
    // With an offset it stays a question for each, and is not made part of the one around it.
    const one = build(db, sql<boolean>`(${names}) = (${ofGiven})`).offset(sql<number>`0`)
    const found = sql`select found.* from ${given} as given cross join lateral ${one} as found`
    return (db as never as UntypedDb).selectFrom(sql`(${found})`.as('found')).selectAll() as never as Compilable<R>
  })
  return async (db, keys) => {
    if (!isPostgres(db)) return each(db, keys)
    const answers: R[] = []
    for (const some of slices(keys, MAX_IN_ONE)) {
      answers.push(...(await inOne(db, { text: textOf(some, key) as string })))
    }
    return answers
  }
}

const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

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

/** Deletes rows by their keys; the column that is no text is named. */
export function prepareDeletes<K extends object>(
  table: keyof Tables,
  key: readonly (keyof K & string)[],
  { integer }: { readonly integer: keyof K & string }
): (db: Db, keys: readonly K[]) => Promise<unknown[]> {
  const names = sql.join(key.map((column) => sql.ref(column)))
  // What is given as a value in a list of them is text to PostgreSQL.
  const cellOf = (row: K, column: keyof K) => (column === integer ? sql`cast(${row[column]} as bigint)` : row[column])
  return prepareReads((db, rows: readonly K[]) => {
    const list = sql.join(rows.map((row) => sql`(${sql.join(key.map((column) => cellOf(row, column)))})`))
    return (db as never as UntypedDb).deleteFrom(table).where(sql<boolean>`(${names}) in (values ${list})`)
  })
}

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
