import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName, sqlText, sqlTexts } from '../../../data/relation.ts'
import type { Gateway } from '../nodes/gateway.ts'
import type { Column } from '../nodes/node-type.ts'
import { columnList, columnsOf, tableColumns } from './columns.ts'
import { runCounted } from './database.ts'

/** So many files are made one; and so is what would otherwise be mostly rows that have gone. */
const MAX_FILES = 12
const MAX_WASTE = 4
/** Beyond this share of rows to go, keeping the rest is cheaper than deleting, and gives the room back. */
const REWRITE_SHARE = 0.5
/** When a row came: tells which rows a checkpoint has not saved yet. */
const EPOCH = '_epoch'

/** What a checkpoint says of a table. JSON. */
export interface SavedTable {
  readonly files: readonly { readonly name: string; readonly rows: number }[]
  /** Rows of the files that have gone since. */
  readonly expired: string | null
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

  /** Adds the rows of a SELECT; columns that are new are added to the table, and answers how many rows came. */
  async insert(sql: string, all: readonly Column[]): Promise<number> {
    // A column of nothing but NULL gets its type when there is something in it.
    const typed = all.filter(({ type }) => type !== '"NULL"')
    const columns = typed.length > 0 ? typed : all
    await this.#ensure(columns)
    const count = await runCounted(
      this.#database,
      `INSERT INTO ${this.name} (${columnList(columns)}, ${EPOCH}) SELECT ${columnList(columns)}, ${this.#epoch} FROM (${sql})`
    )
    this.#rows += count
    this.#unsaved += count
    return count
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

  async #ensure(columns: readonly Column[]): Promise<void> {
    if (this.#columns.length === 0) {
      await this.#database.run(`CREATE TABLE ${this.name} (${tableColumns(columns)}, ${EPOCH} INTEGER)`)
      this.#columns = columns.map(({ name, type }) => ({ name, type: type === '"NULL"' ? 'VARCHAR' : type }))
      return
    }
    const known = new Map(this.#columns.map((column) => [column.name.toLowerCase(), column]))
    for (const column of columns) {
      const before = known.get(column.name.toLowerCase())
      if (before === undefined) {
        await this.#database.run(`ALTER TABLE ${this.name} ADD COLUMN ${tableColumns([column])}`)
        this.#columns = [...this.#columns, column]
      } else if (before.type !== column.type) await this.#widen(before, column)
    }
  }

  /** A column that takes both what it has and what comes, so that nothing is rounded or refused. */
  async #widen(before: Column, now: Column): Promise<void> {
    const both = await columnsOf(this.#database, `SELECT NULL::${before.type} AS x UNION ALL SELECT NULL::${now.type}`)
    // DuckDB would make numbers of what is true, and JSON of any text.
    const isText = [before.type, now.type].some((one) => one === 'JSON' || one === 'BOOLEAN')
    const type = isText ? 'VARCHAR' : (both[0]?.type ?? before.type)
    if (type === before.type) return
    await this.#database.run(`ALTER TABLE ${this.name} ALTER COLUMN ${sqlName(before.name)} TYPE ${type}`)
    this.#columns = this.#columns.map((column) => (column === before ? { name: before.name, type } : column))
  }

  async #count(where: string): Promise<number> {
    return runCounted(this.#database, `SELECT count(*) FROM ${this.name} WHERE ${where}`)
  }

  async #copy(where: string): Promise<{ name: string; rows: number }> {
    this.#copies += 1
    const path = join(this.#place.folder, `state-${this.#copies}.parquet`)
    const rows = await runCounted(
      this.#database,
      `COPY (SELECT * FROM ${this.name} WHERE ${where}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION lz4_raw)`
    )
    return { name: await this.#place.gateway.keepFile(path), rows }
  }
}

/** The name of a table in the schema of a pipeline. */
export const tableName = (schema: string, name: string): string => `${sqlName(schema)}.${sqlName(name)}`
