import { sqlName } from '../../../data/relation.ts'
import { MAX_RECORD_CHARS } from '../host/bisect.ts'
import type { Column } from './node-type.ts'
import type { JsonRecord } from './records-table.ts'
import type { Batch, Rejected, SourceContext } from './source.ts'

const MAX_COLUMNS = 1000
const TOO_MANY_COLUMNS = `The fields of all records together may have ${MAX_COLUMNS} names`

/** Makes batches of JSON records for a source. */
export class RecordBatches {
  readonly #context: SourceContext<unknown>
  /** Columns that records had earlier and these do not. */
  readonly #seen = new Map<string, Column>()
  #made = 0

  constructor(context: SourceContext<unknown>) {
    this.#context = context
  }

  async make(all: readonly JsonRecord[], unread: readonly Rejected[], position: unknown): Promise<Batch> {
    const { records, rejected } = this.#withinBounds(all, unread)
    const { database, schema, nodeId } = this.#context
    this.#made += 1
    const name = `${nodeId}:batch:${this.#made}`
    const { makeRecordsTable } = await import('./records-table.ts')
    const columns = await makeRecordsTable(database, { schema, name }, records)
    const table = `${sqlName(schema)}.${sqlName(name)}`
    const missing = this.#missing(columns)
    const list = [...columns, ...missing].map(({ name: column, type }) => {
      return type === '"NULL"' ? `NULL AS ${sqlName(column)}` : sqlName(column)
    })
    const part = {
      sql: `SELECT ${list.length === 0 ? 'NULL AS "nothing"' : list.join(', ')} FROM ${table}`,
      rows: records.length,
      columns: [...columns, ...missing]
    }
    return {
      parts: records.length === 0 ? [] : [part],
      position,
      rejected,
      release: async () => void (await database.run(`DROP TABLE IF EXISTS ${table}`))
    }
  }

  /** Records whose fields would be more columns than a table can sensibly have, together with those seen before. */
  #withinBounds(all: readonly JsonRecord[], unread: readonly Rejected[]) {
    const fields = new Set(this.#seen.keys())
    const records: JsonRecord[] = []
    const rejected = [...unread]
    for (const record of all) {
      const added = Object.keys(record).filter((field) => !fields.has(field.toLowerCase()))
      if (fields.size + added.length <= MAX_COLUMNS) {
        for (const field of added) fields.add(field.toLowerCase())
        records.push(record)
      } else
        rejected.push({
          code: 'too_many_columns',
          reason: TOO_MANY_COLUMNS,
          record: JSON.stringify(record).slice(0, MAX_RECORD_CHARS)
        })
    }
    return { records, rejected }
  }

  /** What the pipeline speaks of, and these records do not have: nothing, rather than an error. */
  #missing(columns: readonly Column[]): Column[] {
    const here = new Set(columns.map(({ name }) => name.toLowerCase()))
    for (const column of columns) this.#seen.set(column.name.toLowerCase(), column)
    const expected = this.#context.expectedColumns.map((name): Column => ({ name, type: '"NULL"' }))
    const earlier = [...this.#seen.values()].map(({ name }): Column => ({ name, type: '"NULL"' }))
    const missing = new Map([...expected, ...earlier].map((column) => [column.name.toLowerCase(), column]))
    return [...missing].filter(([lower]) => !here.has(lower)).map(([, column]) => column)
  }
}
