import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import type { ParsedSql } from '../../../data/sql-process/statement-check.ts'
import { type Tree, treesIn } from '../duckdb/parse-sql.ts'

const TYPES = new Set(
  'BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT FLOAT DOUBLE DATE TIME TIMESTAMP UUID INTERVAL'.split(' ')
)
const MAX_CASTS = 1000

interface ConstantCast {
  readonly text: string
  readonly type: string
}

/** The first constant of each statement that can't be what it is cast to; only running it would show that else. */
export async function impossibleCasts(
  connection: DuckDBConnection,
  statements: readonly ParsedSql[]
): Promise<(string | undefined)[]> {
  const casts = statements.map((parsed) => castsIn(parsed))
  const all = casts.flat().slice(0, MAX_CASTS)
  if (all.length === 0) return statements.map(() => undefined)
  const tried = all.map(({ text, type }) => `TRY_CAST(${sqlText(text)} AS ${type}) IS NULL`).join(', ')
  const reader = await connection.runAndReadAll(`SELECT [${tried}]`)
  const { items } = reader.value(0, 0) as unknown as { items: boolean[] }
  const impossible = new Set(all.filter((_, i) => items[i] === true))
  return casts.map((some) => {
    const found = some.find((cast) => impossible.has(cast))
    return found && `'${found.text.slice(0, 100)}' is no ${found.type}`
  })
}

/** But for those in TRY, which are meant to fail. */
function castsIn(parsed: ParsedSql): ConstantCast[] {
  return [...treesIn(parsed, ({ type }) => type !== 'OPERATOR_TRY')].flatMap(({ class: kind, try_cast, ...tree }) => {
    const child = tree.child as Tree | undefined
    const value = child?.class === 'CONSTANT' ? (child.value as Tree) : undefined
    const type = typeName(tree.cast_type as Tree | undefined)
    if (kind !== 'CAST' || try_cast === true || typeof value?.value !== 'string' || !TYPES.has(type)) return []
    return (value.type as Tree).id === 'VARCHAR' ? [{ text: value.value, type }] : []
  })
}

/** Types in the SQL of users have not been looked up yet, and so are names only. */
function typeName(type: Tree | undefined): string {
  const { expr } = (type?.type_info ?? {}) as { expr?: Tree }
  return String(expr?.type_name ?? type?.id)
}
