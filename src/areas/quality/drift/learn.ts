import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { DATASET } from '../evaluation/compile.ts'
import type { Sampled } from '../evaluation/sample.ts'
import { sampled } from '../evaluation/statement.ts'
import { type Cells, cellsOf, cellsSql, type Shape, shapeOf, shapeSql } from './shape.ts'

export interface Learned {
  readonly cells: Cells
  readonly shape: Shape
}

export interface LearnOrder {
  readonly dataset: string
  readonly column: DataColumn
  /** A condition in SQL. */
  readonly where: string
  /** Percent of the rows that are looked at; undefined for all. */
  readonly sample?: number | undefined
  /** How long each of its statements may take, if not as long as any. */
  readonly timeoutMs?: number | undefined
}

/**
 * How the values of a column are distributed now: first where its cells are to be, then how many rows lie in each, by
 * the same SQL as all that will be compared with it. Undefined where there is no value.
 */
export async function learn(
  plane: Sampled,
  { dataset, column, where, sample, timeoutMs }: LearnOrder,
  signal: AbortSignal
): Promise<Learned | undefined> {
  const ask = async (sql: string) => {
    const answer = await plane.query({
      sql,
      relations: { [DATASET]: dataset },
      limits: { maxRows: 1, ...(timeoutMs !== undefined && { timeoutMs }) },
      signal
    })
    const [row = []] = await answer.rows()
    return row[0]
  }
  const relation = sampled(sample)
  const cells = cellsOf(column, await ask(cellsSql(column, relation, where)))
  if (cells === undefined) return undefined
  return { cells, shape: shapeOf(cells, await ask(`SELECT ${shapeSql(column, cells, where, false)} FROM ${relation}`)) }
}
