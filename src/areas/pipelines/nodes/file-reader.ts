import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { formOf, type ObjectFormat } from '../../../data/object-formats.ts'
import { sqlName } from '../../../data/relation.ts'
import { columnsOf, tableName, toFault } from '../host/node-tools.ts'
import { convert } from './file-convert.ts'
import type { FetchedObject } from './file-listing.ts'
import { openParquet, type ParquetFile } from './file-parquet.ts'
import type { FileSourceConfig } from './file-source.ts'
import type { Column } from './node-type.ts'
import type { Batch, Rejected, SourceContext } from './source.ts'

const MAX_RECORD_CHARS = 32_768
const MAX_REJECTED = 1000

/** How much of an object has been given. */
export interface ReadSoFar {
  readonly row: number
  readonly rejected: number
}

export interface ReadPart {
  readonly batch: Omit<Batch, 'position'>
  readonly soFar: ReadSoFar
  readonly isLast: boolean
}

/** Faults of the machine, not of the object. */
const NOT_THE_OBJECT = new Set(['disk_full', 'out_of_memory', 'interrupted'])

/** Gives the records of one object as batches, and what in it is no record as rejected. */
export class ObjectReader {
  readonly #parquet: ParquetFile | undefined
  readonly #columns: readonly Column[]
  /** SQL for columns that the pipeline speaks of and these records lack. */
  readonly #extra: string
  readonly #rejects: Rejects
  #soFar: ReadSoFar
  #unreleased = 0
  #isGiven = false

  private constructor(opened: Opened, soFar: ReadSoFar) {
    this.#parquet = opened.parquet
    this.#columns = opened.columns
    this.#extra = opened.extra
    this.#rejects = opened.rejects
    this.#soFar = soFar
  }

  static async open(
    context: SourceContext<FileSourceConfig>,
    fetched: FetchedObject,
    soFar: ReadSoFar = { row: 0, rejected: 0 }
  ): Promise<ObjectReader> {
    const { key } = fetched.object
    try {
      return new ObjectReader(await openObject(context, fetched), soFar)
    } catch (error) {
      await rm(fetched.path, { force: true })
      const fault = toFault(error)
      if (context.signal.aborted || NOT_THE_OBJECT.has(fault.code)) throw fault
      const reason = `Object ${key} can't be read: ${fault.message.replaceAll(fetched.path, key)}`
      const rejects = oneReject({ code: 'unreadable_object', reason, record: JSON.stringify({ key }) })
      return new ObjectReader({ parquet: undefined, columns: [], extra: '', rejects }, soFar)
    }
  }

  /** The next part; undefined where there is nothing in it at all. */
  async next(): Promise<ReadPart | undefined> {
    const { row, rejected } = this.#soFar
    const total = this.#parquet?.rows ?? 0
    const to = this.#parquet === undefined ? row : await this.#parquet.border(row)
    const more = await this.#rejects.some(rejected)
    this.#soFar = { row: to, rejected: rejected + more.length }
    const isLast = to >= total && this.#soFar.rejected >= this.#rejects.count
    this.#isGiven = isLast
    if (to === row && more.length === 0) {
      await this.#removeWhenDone()
      return undefined
    }
    return { batch: await this.#batchOf(row, to, more), soFar: this.#soFar, isLast }
  }

  async #batchOf(from: number, to: number, rejected: readonly Rejected[]): Promise<Omit<Batch, 'position'>> {
    this.#unreleased += 1
    const release = async () => {
      this.#unreleased -= 1
      await this.#removeWhenDone()
    }
    if (this.#parquet === undefined || to === from) return { parts: [], rejected, release }
    const sql = `SELECT *${this.#extra} FROM (${this.#parquet.select(from, to)})`
    return { parts: [{ sql, rows: to - from, columns: this.#columns }], rejected, release }
  }

  async #removeWhenDone(): Promise<void> {
    if (!this.#isGiven || this.#unreleased > 0) return
    if (this.#parquet !== undefined) await rm(this.#parquet.path, { force: true })
    await this.#rejects.drop()
  }
}

interface Opened {
  readonly parquet: ParquetFile | undefined
  readonly columns: readonly Column[]
  readonly extra: string
  readonly rejects: Rejects
}

async function openObject(context: SourceContext<FileSourceConfig>, fetched: FetchedObject): Promise<Opened> {
  const { database, schema, nodeId, expectedColumns } = context
  const form = formatOf(context.config, fetched)
  if (form.format === 'parquet') {
    const parquet = await openParquet(database, fetched.path, context.isBulk)
    return { parquet, columns: await columnsOf(database, parquet.select(0, 0)), extra: '', rejects: NO_REJECTS }
  }
  const to = `${fetched.path}.parquet`
  const table = tableName(schema, `${nodeId}:rejects:${basename(fetched.path)}`)
  const count = await convert(database, { ...form, from: fetched.path, to, rejects: table })
  await rm(fetched.path, { force: true })
  const parquet = await openParquet(database, to, context.isBulk)
  const columns = await columnsOf(database, parquet.select(0, 0))
  const here = new Set(columns.map(({ name }) => name.toLowerCase()))
  // A field that no record of a JSON object has is nothing, rather than an error; a CSV says what it has.
  const isJson = form.format === 'json' || form.format === 'ndjson'
  const missing = isJson ? expectedColumns.filter((name) => !here.has(name.toLowerCase())) : []
  return {
    parquet,
    columns: [...columns, ...missing.map((name): Column => ({ name, type: '"NULL"' }))],
    extra: missing.map((name) => `, NULL AS ${sqlName(name)}`).join(''),
    rejects: count === 0 ? NO_REJECTS : tableOfRejects(context, table, count)
  }
}

function formatOf({ format }: FileSourceConfig, { object, contentType }: FetchedObject) {
  if (format !== undefined) return { format, isGzip: format !== 'parquet' && /\.gz$/i.test(object.key) }
  const form = formOf(object.key, contentType)
  if (form === undefined) throw new Error('neither its name nor its type says CSV, TSV, JSON, NDJSON or Parquet')
  return { format: form.format as ObjectFormat, isGzip: form.extension.endsWith('.gz') }
}

/** What in an object is no record, in a fixed order. */
interface Rejects {
  readonly count: number
  some(from: number): Promise<readonly Rejected[]>
  drop(): Promise<void>
}

const NO_REJECTS: Rejects = { count: 0, some: async () => [], drop: async () => {} }

const oneReject = (rejected: Rejected): Rejects => ({
  count: 1,
  some: async (from) => (from === 0 ? [rejected] : []),
  drop: async () => {}
})

function tableOfRejects({ database }: SourceContext<FileSourceConfig>, table: string, count: number): Rejects {
  return {
    count,
    async some(from) {
      if (from >= count) return []
      const reader = await database.runAndReadAll(
        `SELECT code, reason, record[:${MAX_RECORD_CHARS}] FROM ${table} ORDER BY line LIMIT ${MAX_REJECTED} OFFSET ${from}`
      )
      return reader.getRows().map(([code, reason, record]) => {
        return { code: String(code), reason: String(reason), record: String(record ?? '') }
      })
    },
    drop: async () => void (await database.run(`DROP TABLE IF EXISTS ${table}`))
  }
}
