import { sqlText } from '../../../../data/relation.ts'
import { runCounted } from '../../duckdb/database.ts'
import type { Converted, Work } from './work.ts'

const MAX_SHOWN_CHARS = 100
/** What DuckDB says of a line with too many or too few fields. */
const OTHER_COUNT = "code = 'unreadable_line' AND contains(reason, 'Expected Number of Columns')"

/**
 * Says that what was taken for the header is hardly one, where most lines of a CSV have another number of fields: a title stands
 * above it, or a remark. The dead letters of these lines say so too.
 */
export async function unlikelyHeader(
  { database, to, table }: Pick<Work, 'database' | 'to' | 'table'>,
  { columns, hasTables, plus }: Converted
): Promise<string[]> {
  const hasHeader = plus === 2
  if (!hasTables || !hasHeader) return []
  const others = await runCounted(database, `SELECT count(*) FROM ${table('rejects')} WHERE ${OTHER_COUNT}`)
  const rows = await runCounted(database, `SELECT num_rows FROM parquet_file_metadata(${sqlText(to)})`)
  if (others <= rows) return []
  const names = columns.map(({ name }) => name).join(', ')
  const header = JSON.stringify(names.length > MAX_SHOWN_CHARS ? `${names.slice(0, MAX_SHOWN_CHARS)}…` : names)
  const fields = columns.length === 1 ? '1 field' : `${columns.length} fields`
  const hint = `the first line was taken for the header, ${header}, and ${fields} expected in each line; if that is no header, remove what stands above it`
  await database.run(`UPDATE ${table('rejects')} SET reason = reason || '; ' || ${sqlText(hint)} WHERE ${OTHER_COUNT}`)
  return [`has ${others} lines with another number of fields than its header: ${hint}`]
}
