import { sqlName, sqlText } from '../../../../data/relation.ts'
import type { Column } from '../../duckdb/columns.ts'
import type { Work } from './work.ts'

/** DuckDB finds types by about so many rows. */
const LOOKED_AT_ROWS = 20_480
const MIN_VALUES = 20
/** A column in which so many of a hundred values are no numbers, or fewer, is hardly meant as text. */
const MAX_PERCENT = 5

/**
 * Says of columns that nobody has told of whether they are texts only because of a few values: `n/a` among numbers makes texts
 * of all of them, which a sink then keeps as texts.
 */
export async function mostlyNumbers(
  { database, to, config }: Pick<Work, 'database' | 'to' | 'config'>,
  columns: readonly Column[]
): Promise<string[]> {
  const told = new Set(Object.keys(config.columns ?? {}).map((name) => name.toLowerCase()))
  const texts = columns.filter(({ name, type }) => type === 'VARCHAR' && !told.has(name.toLowerCase()))
  if (texts.length === 0) return []
  const list = texts.map(({ name }) => {
    const value = sqlName(name)
    const isNone = `${value} IS NOT NULL AND TRY_CAST(${value} AS DOUBLE) IS NULL`
    return `count(${value}), count(*) FILTER (${isNone}), first(${value}) FILTER (${isNone})`
  })
  // Not by LIMIT, for which DuckDB would hold all these rows at once, however long their texts.
  const reader = await database.runAndReadAll(
    `SELECT ${list.join(', ')} FROM read_parquet(${sqlText(to)}, file_row_number = true) WHERE file_row_number < ${LOOKED_AT_ROWS}`
  )
  const [found = []] = reader.getRows()
  return texts.flatMap(({ name }, i) => {
    const [values, others] = [Number(found[3 * i]), Number(found[3 * i + 1])]
    if (values < MIN_VALUES || others === 0 || others * 100 > values * MAX_PERCENT) return []
    const example = JSON.stringify(String(found[3 * i + 2]).slice(0, 100))
    return [
      `has texts in ${name}, because ${others} of the first ${values} values are no numbers, such as ${example}; tell \`columns\` (${JSON.stringify({ [name]: 'DOUBLE' })}) to have those refused instead`
    ]
  })
}
