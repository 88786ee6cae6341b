import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName, sqlText, sqlTexts } from '../../../data/relation.ts'
import { type Column, columnList, columnsOf, familyOf, tableColumns } from '../duckdb/columns.ts'
import { runCounted } from '../duckdb/database.ts'
import type { Gateway } from './gateway.ts'

/** A table in so many files is written anew as one, and so is one whose files hold so many times the rows that are left. */
const MAX_FILES = 12
const MAX_WASTE = 4
/** Where a larger share of rows expires, keeping the rest in a new table is cheaper than deleting, and gives memory back. */
const REWRITE_SHARE = 0.5
/** When a row came: tells which rows a checkpoint has not saved yet. */
const EPOCH = '_epoch'

/** Quick to write, and read by DuckDB alone: other programs may not know the encodings of version 2. */
const AS_PARQUET = 'FORMAT parquet, COMPRESSION lz4_raw, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 4000'

/** What a checkpoint says of a table. JSON. */
export interface SavedTable {
  readonly files: readonly { readonly name: string; readonly rows: number }[]
  /** Rows of the files that have gone since. */
  readonly expired: string | null
}

/** A column with values of one kind in the table, and of another in what is to come into it. */
export interface TypeConflict {
  readonly name: string
  readonly now: string
  readonly before: string
}

/**
 * A table of a node that outlives crashes: rows are added and, in an order that never goes back, expire. A checkpoint saves
 * what was added since the last one.
 */
export class StateTable {
  /** As SQL writes it. It exists once it has columns. */
  readonly name: string
  readonly #database: DuckDBConnection
  readonly #place: { readonly gateway: Gateway; readonly folder: string }
  #columns: readonly Column[] = []
  #files: SavedTable['files'] = []
  #expired: string | null = null
  #rows = 0
  #unsaved = 0
  #epoch = 0
  #copies = 0

  constructor(name: string, database: DuckDBConnection, place: { gateway: Gateway; folder: string }) {
    this.name = name
    this.#database = database
    this.#place = place
  }

  get columns(): readonly Column[] {
    return this.#columns
  }

  get rows(): number {
    return this.#rows
  }

  /**
   * Adds the rows of a SELECT and answers how many came. Columns that are new are added to the table; one that has values of
   * another kind than before becomes a text, or JSON in which each value stays what it is.
   */
  async insert(sql: string, all: readonly Column[], others: 'as text' | 'as JSON' = 'as text'): Promise<number> {
    const there = all.filter(({ type, isOptional }) => type !== '"NULL"' || isOptional !== true)
    const columns = there.length > 0 ? there : all
    await this.#ensure(columns, others)
    const held = new Map(this.#columns.map(({ name, type }) => [name.toLowerCase(), type]))
    const values = columns.map(({ name, type }) => {
      const isMade = type !== 'JSON' && held.get(name.toLowerCase()) === 'JSON'
      return isMade ? `to_json(${sqlName(name)})` : sqlName(name)
    })
    const count = await runCounted(
      this.#database,
      `INSERT INTO ${this.name} (${columnList(columns)}, ${EPOCH}) SELECT ${values.join(', ')}, ${this.#epoch} FROM (${sql})`
    )
    this.#rows += count
    this.#unsaved += count
    return count
  }

  /** The first of these columns that has values of another kind than the table has. */
  async conflict(columns: readonly Column[]): Promise<TypeConflict | undefined> {
    const held = new Map(this.#columns.map((column) => [column.name.toLowerCase(), column]))
    for (const { name, type } of columns) {
      const before = held.get(name.toLowerCase())
      if (before === undefined || type === '"NULL"' || familyOf(before.type) === familyOf(type)) continue
      if (await this.#holdsSomething(before)) return { name, now: type, before: before.type }
    }
    return undefined
  }

  /** Rows for which this holds go now; each time it holds for all rows for which it held before. */
  async expire(where: string): Promise<number> {
    if (this.#columns.length === 0) return 0
    const going = await this.#count(where)
    if (going === 0) return 0
    if (going > this.#rows * REWRITE_SHARE) {
      const next = `${this.name.slice(0, -1)}_next"`
      await this.#database.run(`CREATE TABLE ${next} AS SELECT * FROM ${this.name} WHERE NOT coalesce(${where}, false)`)
      await this.#database.run(`DROP TABLE ${this.name}`)
      await this.#database.run(`ALTER TABLE ${next} RENAME TO ${this.name.slice(this.name.indexOf('.') + 1)}`)
    } else {
      await this.#database.run(`DELETE FROM ${this.name} WHERE ${where}`)
    }
    this.#rows -= going
    this.#expired = where
    return going
  }

  /** All rows go. */
  async clear(): Promise<void> {
    if (this.#columns.length > 0) await this.#database.run(`DROP TABLE ${this.name}`)
    this.#columns = []
    this.#files = []
    this.#expired = null
    this.#rows = 0
    this.#unsaved = 0
  }

  /** Saves what is not saved yet. Whatever is inserted from now on belongs to the next checkpoint. */
  async save(): Promise<SavedTable> {
    const savedRows = this.#files.reduce((sum, { rows }) => sum + rows, 0)
    const wasteful = savedRows + this.#unsaved > MAX_WASTE * this.#rows + 1000
    if (this.#rows === 0) {
      this.#files = []
      this.#expired = null
    } else if (this.#files.length >= MAX_FILES || wasteful) {
      this.#files = [await this.#copy('true')]
      this.#expired = null
    } else if (this.#unsaved > 0) {
      this.#files = [...this.#files, await this.#copy(`${EPOCH} = ${this.#epoch}`)]
    }
    this.#unsaved = 0
    this.#epoch += 1
    return { files: this.#files, expired: this.#expired }
  }

  async restore(saved: SavedTable): Promise<void> {
    if (saved.files.length === 0) return
    const paths: string[] = []
    for (const { name } of saved.files) {
      const path = join(this.#place.folder, `restore-${paths.length}.parquet`)
      await this.#place.gateway.loadFile(name, path)
      paths.push(path)
    }
    const all = `SELECT * REPLACE (0::INTEGER AS ${EPOCH}) FROM read_parquet(${sqlTexts(paths)}, union_by_name = true)`
    const kept = saved.expired === null ? all : `SELECT * FROM (${all}) WHERE NOT coalesce(${saved.expired}, false)`
    this.#rows = await runCounted(this.#database, `CREATE TABLE ${this.name} AS ${kept}`)
    this.#columns = (await columnsOf(this.#database, `SELECT * FROM ${this.name}`)).filter(({ name }) => name !== EPOCH)
    // Another table of the node uses the same names, and must not write over files that are kept.
    for (const path of paths) await rm(path)
    this.#files = saved.files
    this.#expired = saved.expired
    this.#epoch = 1
  }

  async #ensure(columns: readonly Column[], others: 'as text' | 'as JSON'): Promise<void> {
    if (this.#columns.length === 0) {
      await this.#database.run(`CREATE TABLE ${this.name} (${tableColumns(columns)}, ${EPOCH} INTEGER)`)
      this.#columns = columns.map((column) => ({ ...column, type: column.type === '"NULL"' ? 'VARCHAR' : column.type }))
      return
    }
    const known = new Map(this.#columns.map((column) => [column.name.toLowerCase(), column]))
    for (const column of columns) {
      const before = known.get(column.name.toLowerCase())
      if (before === undefined) {
        await this.#database.run(`ALTER TABLE ${this.name} ADD COLUMN ${tableColumns([column])}`)
        this.#columns = [...this.#columns, { ...column, type: column.type === '"NULL"' ? 'VARCHAR' : column.type }]
      } else if (column.type !== '"NULL"' && before.type !== column.type) await this.#widen(before, column, others)
    }
  }

  /** A column that takes both what it has and what comes, so that nothing is rounded or refused. */
  async #widen(before: Column, now: Column, others: 'as text' | 'as JSON'): Promise<void> {
    if (!(await this.#holdsSomething(before))) return this.#retype(before, now.type)
    if (others === 'as JSON' && familyOf(before.type) !== familyOf(now.type)) return this.#makeJson(before)
    const both = await columnsOf(this.#database, `SELECT NULL::${before.type} AS x UNION ALL SELECT NULL::${now.type}`)
    // DuckDB would make numbers of what is true, and JSON of any text.
    const isText = [before.type, now.type].some((one) => one === 'JSON' || one === 'BOOLEAN')
    const type = isText ? 'VARCHAR' : (both[0]?.type ?? before.type)
    if (type === before.type) return
    await this.#retype(before, type)
  }

  async #retype(column: Column, type: string, using = ''): Promise<void> {
    await this.#database.run(`ALTER TABLE ${this.name} ALTER COLUMN ${sqlName(column.name)} TYPE ${type}${using}`)
    this.#columns = this.#columns.map((one) => (one === column ? { ...column, type } : one))
  }

  /** A column of nothing but NULL gets its type when there is something in it. */
  async #holdsSomething({ name }: Column): Promise<boolean> {
    return (await runCounted(this.#database, `SELECT count(${sqlName(name)}) FROM ${this.name}`)) > 0
  }

  /** Each value as the JSON that it would be written as. */
  async #makeJson(column: Column): Promise<void> {
    if (column.type !== 'JSON') await this.#retype(column, 'JSON', ` USING to_json(${sqlName(column.name)})`)
  }

  async #count(where: string): Promise<number> {
    return runCounted(this.#database, `SELECT count(*) FROM ${this.name} WHERE ${where}`)
  }

  async #copy(where: string): Promise<{ name: string; rows: number }> {
    this.#copies += 1
    const path = join(this.#place.folder, `state-${this.#copies}.parquet`)
    const rows = await runCounted(
      this.#database,
      `COPY (SELECT * FROM ${this.name} WHERE ${where}) TO ${sqlText(path)} (${AS_PARQUET})`
    )
    return { name: await this.#place.gateway.keepFile(path), rows }
  }
}

/** The name of a table in the schema of a pipeline. */
export const tableName = (schema: string, name: string): string => `${sqlName(schema)}.${sqlName(name)}`
