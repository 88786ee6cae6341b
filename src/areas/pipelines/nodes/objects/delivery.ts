import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Publication, Sink, SinkContext, SinkRejected, Wrote } from '../../contract/sink.ts'
import { ROW } from '../../contract/source.ts'
import type { StateTable } from '../../contract/state-table.ts'
import type { Flow } from '../../contract/steps.ts'
import { type Column, columnList, columnsOf, familyOf } from '../../duckdb/columns.ts'
import { isoColumn, jsonText } from '../../records/json.ts'
import { conflictFault, typeConflict } from '../../records/type-conflict.ts'
import type { ObjectSinkConfig } from './sink.ts'

const FORMATS = {
  // With larger dictionaries the table of `bench/connectors` took half as long again to write, and was no smaller.
  parquet: {
    options: 'FORMAT parquet, COMPRESSION zstd, DICTIONARY_SIZE_LIMIT 4000',
    contentType: 'application/vnd.apache.parquet'
  },
  csv: { options: 'FORMAT csv, HEADER true', contentType: 'text/csv' },
  // Lines as they are: neither of the two characters is in any JSON, so that nothing is ever quoted.
  ndjson: {
    options: "FORMAT csv, HEADER false, DELIMITER '\x01', QUOTE '\x02', ESCAPE '\x02'",
    contentType: 'application/x-ndjson'
  }
} as const

const MAX_FILES_AT_ONCE = 1000
const BESIDE = 'records in the same object have it'

interface Memo {
  readonly sinceMs: number | undefined
  readonly optional: readonly string[]
}

/** When an object is closed. */
type Rolls = Required<Pick<ObjectSinkConfig, 'rollRows' | 'rollSeconds'>>

/** Records wait in a table that outlives crashes; a checkpoint that empties it names the objects that they become. */
export class ObjectDelivery implements Sink {
  readonly #context: SinkContext<ObjectSinkConfig>
  readonly #rolls: Rolls
  readonly #waiting: StateTable
  /** Since when records wait. */
  #sinceMs: number | undefined
  /** Columns of which nobody has spoken: where a record has nothing there, it has no such field. */
  readonly #optional: Set<string>

  constructor(context: SinkContext<ObjectSinkConfig>, rolls: Rolls) {
    this.#context = context
    this.#rolls = { ...rolls, ...context.config }
    this.#waiting = context.state('waiting')
    const { sinceMs, optional = [] } = (context.memo ?? {}) as Partial<Memo>
    this.#sinceMs = sinceMs
    this.#optional = new Set(optional)
  }

  async write(flow: Flow): Promise<Wrote> {
    const columns = await this.#columnsIn(flow)
    const { format } = this.#context.config
    const isTyped = format === 'parquet' && flow.isLoose === true
    const fault = isTyped ? await typeConflict(this.#waiting, columns, BESIDE) : undefined
    if (fault !== undefined) throw fault
    for (const { name, isOptional } of columns) if (isOptional === true) this.#optional.add(name.toLowerCase())
    for (const { name, isOptional } of columns) if (isOptional !== true) this.#optional.delete(name.toLowerCase())
    const taken = await this.#waiting.insert(flow.sql, columns, format === 'ndjson' ? 'as JSON' : 'as text')
    if (taken > 0) this.#sinceMs ??= this.#context.now()
    return { taken, written: taken, rejected: [] }
  }

  /**
   * In the order in which they came. Where objects have one type for a column it is that of the kind of record that came first,
   * and the others are refused.
   */
  async writeMixed(flows: readonly Flow[]): Promise<Wrote> {
    const { format } = this.#context.config
    const { kept, rejected } = format === 'parquet' ? await this.#fitting(flows) : { kept: flows, rejected: [] }
    if (kept.length === 0) return { taken: rejected.length, written: 0, rejected }
    const wrote = await this.write(await this.#united(kept))
    return { taken: wrote.taken + rejected.length, written: wrote.written, rejected }
  }

  /** The flows whose types go together with those that came before. */
  async #fitting(flows: readonly Flow[]): Promise<{ kept: Flow[]; rejected: SinkRejected[] }> {
    const { database } = this.#context
    const rowsOf = async ({ numbered }: Flow, what: string) => {
      const reader = await database.runAndReadAll(`SELECT ${what} FROM (${numbered}) ORDER BY 1`)
      return reader.getRows().map(([row]) => Number(row))
    }
    const begins: number[] = []
    for (const flow of flows) begins.push(Number(await rowsOf(flow, `min(${ROW})`)))
    const inOrder = [...flows.entries()].sort(([a], [b]) => (begins[a] as number) - (begins[b] as number))
    const kept: Flow[] = []
    const rejected: SinkRejected[] = []
    for (const [i, flow] of inOrder) {
      const columns = await this.#columnsIn(flow)
      const fault = (await typeConflict(this.#waiting, columns, BESIDE)) ?? conflictAmong(kept, columns)
      if (fault === undefined) kept.push({ ...flow, columns })
      else {
        const { code, message: reason } = fault
        for (const row of await rowsOf(flow, ROW)) rejected.push({ flow: i, row, code, reason, record: '' })
      }
    }
    return { kept, rejected }
  }

  /** Columns that hold values of several kinds have JSON in which each stays what it is, or texts. */
  async #united(flows: readonly Flow[]): Promise<Flow> {
    const { database, config } = this.#context
    const families = Map.groupBy(
      flows.flatMap(({ columns }) => columns.filter(({ type }) => type !== '"NULL"')),
      ({ name }) => name.toLowerCase()
    )
    const isMixed = (name: string) =>
      new Set(families.get(name.toLowerCase())?.map((one) => familyOf(one.type))).size > 1
    const selects = flows.map(({ numbered, columns }) => {
      const there = columns.filter(({ name, type }) => type !== '"NULL"' || !families.has(name.toLowerCase()))
      const values = there.map(({ name }) => {
        const value = config.format === 'ndjson' ? `to_json(${sqlName(name)})` : `${sqlName(name)}::VARCHAR`
        return isMixed(name) ? `${value} AS ${sqlName(name)}` : sqlName(name)
      })
      return `SELECT ${[...values, ROW].join(', ')} FROM (${numbered})`
    })
    const all = selects.join(' UNION ALL BY NAME ')
    const needed = flows.flatMap(({ columns }) => columns.filter(({ isOptional }) => isOptional !== true))
    const spoken = new Set(needed.map(({ name }) => name.toLowerCase()))
    const found = await columnsOf(database, `SELECT * EXCLUDE (${ROW}) FROM (${all})`)
    const columns = found.map((one) => (spoken.has(one.name.toLowerCase()) ? one : { ...one, isOptional: true }))
    const sql = `SELECT * EXCLUDE (${ROW}) FROM (${all}) ORDER BY ${ROW}`
    return { sql, numbered: `SELECT * FROM (${all}) ORDER BY ${ROW}`, columns, rows: undefined }
  }

  /** The columns of a flow, without optional ones that none of its records has. */
  async #columnsIn({ sql, columns }: Flow): Promise<readonly Column[]> {
    const optional = columns.filter(({ isOptional, type }) => isOptional === true && type !== '"NULL"')
    if (optional.length === 0) return columns
    const counts = optional.map(({ name }) => `count(${sqlName(name)})`).join(', ')
    const reader = await this.#context.database.runAndReadAll(`SELECT ${counts} FROM (${sql})`)
    const [found = []] = reader.getRows()
    const gone = new Set(optional.filter((_, i) => found[i] === 0n))
    return columns.filter((column) => !gone.has(column))
  }

  async prepare({ epoch, last }: { epoch: number; last: boolean }): Promise<Publication[]> {
    const { now } = this.#context
    const { rollRows, rollSeconds } = this.#rolls
    const ageMs = this.#sinceMs === undefined ? 0 : now() - this.#sinceMs
    // Remembered over restarts, so that it is the time of day: nobody waits for a clock that was set back.
    const isOld = ageMs < 0 || ageMs >= rollSeconds * 1000
    if (this.#waiting.rows === 0 || !(last || isOld || this.#waiting.rows >= rollRows)) return []
    const publications = await this.#close(epoch)
    await this.#waiting.clear()
    this.#sinceMs = undefined
    this.#optional.clear()
    return publications
  }

  memo(): unknown {
    return { sinceMs: this.#sinceMs, optional: [...this.#optional] } satisfies Memo
  }

  async close(): Promise<void> {}

  /** The same epoch of the same run makes the same names, so that none is there twice. */
  async #close(epoch: number): Promise<Publication[]> {
    const { config, folder, gateway, pipelineId, nodeId, runNumber } = this.#context
    const { bucket, prefix, format, partitionBy = [] } = config
    const { options, contentType } = FORMATS[format]
    const out = join(folder, 'out')
    await rm(out, { recursive: true, force: true })
    await mkdir(out, { recursive: true })
    const name = `${pipelineId}-${nodeId}-${runNumber}-${epoch}`
    const files =
      partitionBy.length === 0 ? await this.#copyAll(out, name, options) : await this.#copyParts(out, name, options)
    if (files.length > MAX_FILES_AT_ONCE) {
      throw new NodeFault(
        'fatal',
        'too_many_partitions',
        `partitionBy makes ${files.length} objects at once; at most ${MAX_FILES_AT_ONCE} are allowed`
      )
    }
    const publications: Publication[] = []
    for (const path of files) {
      publications.push({ file: await gateway.keepFile(path), bucket, key: prefix + relative(out, path), contentType })
    }
    return publications
  }

  /** Copies the records into files. None has many more than an object should have, even if more came in one batch. */
  async #copyAll(out: string, name: string, options: string): Promise<string[]> {
    const { format } = this.#context.config
    const { rollRows } = this.#rolls
    const { rows } = this.#waiting
    const count = Math.ceil(rows / rollRows)
    if (count === 1) return this.#copy('true', join(out, `${name}.${format}`), options)
    if (count > MAX_FILES_AT_ONCE) return this.#copyEvenly(out, name, options, MAX_FILES_AT_ONCE)
    return this.#copyEvenly(out, name, options, count)
  }

  async #copyEvenly(out: string, name: string, options: string, count: number): Promise<string[]> {
    const { format } = this.#context.config
    const each = Math.ceil(this.#waiting.rows / count)
    const files: string[] = []
    for (let part = 0; part < count; part++) {
      // Rows come and are cleared together, so that their numbers run from 0.
      const where = `rowid >= ${part * each} AND rowid < ${(part + 1) * each}`
      files.push(...(await this.#copy(where, join(out, `${name}-${part}.${format}`), options)))
    }
    return files
  }

  /** Copies the records into folders named `column=value`, by DuckDB where it can do that. */
  async #copyParts(out: string, name: string, options: string): Promise<string[]> {
    const { format, partitionBy = [] } = this.#context.config
    const by = partitionBy.map(sqlName)
    if (format !== 'ndjson') {
      const parts = `PARTITION_BY (${by.join(', ')}), FILENAME_PATTERN ${sqlText(`${name}-{i}`)}`
      return this.#copy('true', out, `${options}, ${parts}`)
    }
    const { database } = this.#context
    const reader = await database.runAndReadAll(
      `SELECT DISTINCT ${by.map((column) => `${column}::VARCHAR`).join(', ')} FROM ${this.#waiting.name} LIMIT ${MAX_FILES_AT_ONCE + 1}`
    )
    const files: string[] = []
    for (const values of reader.getRows() as (string | null)[][]) {
      const folder = join(out, ...values.map((value, i) => `${partitionBy[i]}=${hiveValue(value)}`))
      await mkdir(folder, { recursive: true })
      const where = values.map((value, i) => {
        return `${by[i]}::VARCHAR IS NOT DISTINCT FROM ${value === null ? 'NULL' : sqlText(value)}`
      })
      files.push(...(await this.#copy(where.join(' AND '), join(folder, `${name}.${format}`), options)))
    }
    return files
  }

  async #copy(where: string, to: string, options: string): Promise<string[]> {
    const { database, config } = this.#context
    const isPart = (name: string) => config.format === 'ndjson' && config.partitionBy?.includes(name) === true
    const written = this.#waiting.columns.filter(({ name }) => !isPart(name))
    const columns = this.#listOf(written)
    const reader = await database.runAndReadAll(
      `COPY (SELECT ${columns} FROM ${this.#waiting.name} WHERE ${where}) TO ${sqlText(to)} (${options}, RETURN_FILES true)`
    )
    const [, files] = reader.getRowsJson()[0] as [unknown, string[]]
    return files
  }

  #listOf(columns: readonly Column[]): string {
    const { format } = this.#context.config
    if (format === 'parquet') return columnList(columns)
    if (format === 'csv') return this.#textColumns(columns)
    return jsonText(columns.map((column) => ({ ...column, isOptional: this.#optional.has(column.name.toLowerCase()) })))
  }

  /** Folders are named by what the columns hold, the same in all formats. */
  #textColumns(columns: readonly Column[]): string {
    const { partitionBy = [] } = this.#context.config
    return columns
      .map((column) => (partitionBy.includes(column.name) ? sqlName(column.name) : isoColumn(column)))
      .join(', ')
  }
}

/** The first column that records which came before have with values of another kind. */
function conflictAmong(flows: readonly Flow[], columns: readonly Column[]): NodeFault | undefined {
  const before = new Map(
    flows.flatMap((flow) =>
      flow.columns.filter(({ type }) => type !== '"NULL"').map((one) => [one.name.toLowerCase(), one.type] as const)
    )
  )
  for (const { name, type } of columns) {
    const held = before.get(name.toLowerCase())
    const isFree = held === undefined || type === '"NULL"'
    if (!isFree && familyOf(held) !== familyOf(type)) return conflictFault({ name, now: type, before: held }, BESIDE)
  }
  return undefined
}

/** As Hive writes it, and DuckDB reads it. */
const hiveValue = (value: string | null) => (value === null ? '__HIVE_DEFAULT_PARTITION__' : encodeURIComponent(value))
