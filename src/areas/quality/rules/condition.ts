import type { DataPlane } from '../../../data/plane.ts'
import { DATASET } from '../evaluation/compile.ts'

/** For messages: what a condition has to be. */
export const CONDITION_FORM = 'must be one condition, as it stands after WHERE'

interface Conditioned {
  /** Whether it is whole by itself, so that it can stand within other SQL. */
  readonly isWhole: boolean
  /** The columns that it is about; undefined where that can't be told for sure. */
  readonly columns: readonly string[] | undefined
}

/**
 * Reads a condition of a user, and runs nothing. One that closes a bracket which it has not opened is none at the end of
 * a statement, and what is no condition is none in brackets. The columns are told where those of the data are known.
 */
export async function readCondition(
  plane: Pick<DataPlane, 'lineage'>,
  where: string,
  known: readonly string[],
  signal: AbortSignal
): Promise<Conditioned> {
  const sql = `SELECT (\n${where}\n) FROM ${DATASET} WHERE\n${where}\n`
  const tables = known.length === 0 ? {} : { [DATASET]: known }
  const { reads, rows, outputs, notUnderstood } = await plane.lineage({ sql, known: tables, signal })
  const sources = [...rows, ...outputs.flatMap(({ from }) => from)]
  const isKnown = notUnderstood.length === 0 && sources.every(({ table }) => table === DATASET)
  const columns = isKnown ? [...new Set(sources.map(({ column }) => column))] : undefined
  return { isWhole: reads.includes(DATASET), columns }
}
