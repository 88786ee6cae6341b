import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText, sqlTexts } from '../../../data/relation.ts'
import type { ParsedSql } from '../../../data/sql-process/statement-check.ts'
import { enclosed } from './expression.ts'

/** SQL of a user's, in the configuration of a node. */
export interface SqlPart {
  /** JSON pointer into the configuration. */
  readonly pointer: string
  readonly text: string
  /**
   * `row`: an expression of one record; `group`: one of many, with aggregates; `statement`: a SELECT over the inputs.
   */
  readonly form: 'row' | 'group' | 'statement'
}

/**
 * The tree of a statement, which is not run. The text is part of the statement rather than a value of it: a statement with
 * values has several steps, between which another one on the same connection ends it.
 */
export async function parseSql(database: DuckDBConnection, statement: string): Promise<ParsedSql> {
  const reader = await database.runAndReadAll(`SELECT json_serialize_sql(${sqlText(statement)})`)
  return JSON.parse(String(reader.value(0, 0))) as ParsedSql
}

const AT_ONCE = 1000

/** The trees of many statements, by their texts. */
export async function parseAll(database: DuckDBConnection, statements: Iterable<string>) {
  const parsed = new Map<string, ParsedSql>()
  const texts = [...new Set(statements)]
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const some = texts.slice(from, from + AT_ONCE)
    const reader = await database.runAndReadAll(
      `SELECT json_serialize_sql(text) FROM (SELECT unnest(${sqlTexts(some)}) AS text)`
    )
    for (const [i, [tree]] of reader.getRows().entries()) parsed.set(some[i] as string, JSON.parse(String(tree)))
  }
  return parsed
}

/** A part of a configuration as a statement by itself. */
export const selectOf = ({ text, form }: SqlPart): string => (form === 'statement' ? text : `SELECT ${enclosed(text)}`)

export type Tree = Readonly<Record<string, unknown>>

/** Every object in the tree; without recursion, which the SQL could make as deep as it likes. */
export function* treesIn({ statements }: ParsedSql, isEntered = (_tree: Tree) => true): Generator<Tree> {
  const left: unknown[] = [statements]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item !== 'object' || item === null) continue
    if (!Array.isArray(item)) yield item as Tree
    if (Array.isArray(item) || isEntered(item as Tree)) for (const child of Object.values(item)) left.push(child)
  }
}

/** The columns of records that an expression speaks of. */
export function columnsIn(parsed: ParsedSql): string[] {
  const names: string[] = []
  for (const { class: kind, column_names: path } of treesIn(parsed)) {
    if (kind !== 'COLUMN_REF') continue
    const [first, second] = path as string[]
    // `input.temp` is a column of the input, `place.city` a part of a column.
    const name = first === 'input' && second !== undefined ? second : first
    if (name !== undefined) names.push(name)
  }
  return names
}
