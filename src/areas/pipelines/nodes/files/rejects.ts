import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import { MAX_RECORD_CHARS, type Origin, type Rejected } from '../../contract/source.ts'
import type { Column } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import { WRONG_TYPE, wrongType } from '../../records/column-types.ts'
import type { Notes } from './notes.ts'
import type { Work } from './work.ts'

/** Refused records in one batch: so many, and so many characters. */
const MAX_REJECTED = 10_000
const MAX_CHARS = 8_000_000

/** What in an object is no record, in a fixed order. */
export interface Rejects {
  readonly count: number
  some(from: number): Promise<readonly Rejected[]>
  drop(): Promise<void>
}

export const NO_REJECTS: Rejects = { count: 0, some: async () => [], drop: async () => {} }

export const oneReject = (rejected: Rejected): Rejects => ({
  count: 1,
  some: async (from) => (from === 0 ? [rejected] : []),
  drop: async () => {}
})

/** A row of the table of rejects. */
export interface RejectRow {
  readonly line: number
  readonly code: string
  /** Empty where `explain` makes one. */
  readonly reason: string
  /** The field at fault: its name in JSON, its number from 1 in CSV. */
  readonly field: string
  /** As it stands in the object, or JSON; cut where it is long. */
  readonly text: string
  readonly got: string
}

/** Says of a value of a wrong type what was expected, and makes a record of the text. */
export type Explain = (row: RejectRow) => {
  readonly field: string
  readonly expected: string
  readonly got: string
  readonly record: string
  /** The columns that are to be there, where the record is whole. */
  readonly columns?: readonly Column[]
}

export async function makeRejects(
  database: DuckDBConnection,
  table: string,
  refused: Notes | undefined
): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TABLE ${table} (line BIGINT, code VARCHAR, reason VARCHAR, field VARCHAR, text VARCHAR, got VARCHAR)`
  )
  if (refused === undefined || refused.count === 0) return
  await database.run(
    `INSERT INTO ${table} SELECT line, code, reason, '', text[:${MAX_RECORD_CHARS}], '' FROM read_json(${sqlText(refused.path)}, format = 'newline_delimited', columns = {'line': 'BIGINT', 'code': 'VARCHAR', 'reason': 'VARCHAR', 'text': 'VARCHAR'})`
  )
}

export function tableOfRejects(
  database: DuckDBConnection,
  table: string,
  of: { readonly count: number; readonly explain: Explain; originOf(line: number): Origin }
): Rejects {
  const { count, explain } = of
  return {
    count,
    async some(from) {
      if (from >= count) return []
      const chars = 'coalesce(length(text), 0)'
      const page = `SELECT *, rowid AS n, sum(${chars}) OVER (ORDER BY rowid) - ${chars} AS before FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + MAX_REJECTED}`
      const answer = await database.runAndReadAll(
        `SELECT line, code, reason, field, text, got FROM (${page}) WHERE before <= ${MAX_CHARS} ORDER BY n`
      )
      return answer.getRows().map(([line, code, reason, field, text, got]): Rejected => {
        const origin = of.originOf(Number(line))
        if (code !== WRONG_TYPE)
          return { code: String(code), reason: String(reason), record: String(text ?? ''), origin }
        const [told, shown] = [String(field), String(got ?? '')]
        const why = explain({ line: Number(line), code, reason: '', field: told, text: String(text ?? ''), got: shown })
        const { record, columns } = why
        return { code, reason: wrongType(why.field, why.expected, why.got), record, origin, columns }
      })
    },
    drop: async () => void (await database.run(`DROP TABLE IF EXISTS ${table}`))
  }
}

/** Puts them in their order, once, by which they are found afterwards; answers how many there are. */
export const sortRejects = (database: DuckDBConnection, table: string): Promise<number> =>
  runCounted(
    database,
    `CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} ORDER BY line, field, code, reason, text`
  )

/** Notes the rows of what was made that say of themselves what is wrong with them. */
export async function noteWrong({ database, table, to }: Pick<Work, 'database' | 'table' | 'to'>): Promise<void> {
  await database.run(
    `INSERT INTO ${table('rejects')} SELECT w.row + g.plus + s.shift, '${WRONG_TYPE}', '', w.wrong->>'field', (w.wrong->>'record')[:${MAX_RECORD_CHARS}], (w.wrong->>'got')[:1000]
     FROM (SELECT file_row_number AS row, "millrace:wrong"::JSON AS wrong FROM read_parquet(${sqlText(to)}, file_row_number = true) WHERE "millrace:wrong" IS NOT NULL) w
     ASOF JOIN ${table('gaps')} g ON w.row >= g.first_row ASOF JOIN ${table('shifts')} s ON w.row + g.plus >= s.record`
  )
}
