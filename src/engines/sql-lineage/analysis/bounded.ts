import { GivenUp } from '../effort.ts'
import type { SourceColumn, StatementLineage } from '../lineage.ts'

const MOST_SOURCES = 100_000
/** Names are as long as whoever wrote the statement wants them, and each may stand there again and again. */
const MOST_CHARS = 8_000_000

/** Gives up where others could not hold what was found: it is sent to other threads, and written down. */
export function bounded(lineage: StatementLineage): StatementLineage {
  let sources = 0
  let chars = 0
  const count = (from: readonly SourceColumn[]) => {
    sources += from.length
    for (const { table, column } of from) chars += table.length + column.length
    if (sources > MOST_SOURCES || chars > MOST_CHARS)
      throw new GivenUp('The statement is too large: what it reads and writes is too much to tell.')
  }
  for (const { name, from } of lineage.outputs) {
    chars += name.length
    count(from)
  }
  count(lineage.rows)
  return lineage
}
