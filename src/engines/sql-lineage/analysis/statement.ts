import { Effort, GivenUp } from '../effort.ts'
import { type KnownTables, nothingKnown, type OutputColumn, type StatementLineage } from '../lineage.ts'
import { folded, isSameName } from '../names.ts'
import type { Statement, WrittenPart } from '../query.ts'
import { bounded } from './bounded.ts'
import { type Context, Reports, Tables, type Traits } from './context.ts'
import { rowSetOf } from './queries.ts'
import type { Column, RowSet } from './row-set.ts'
import { TOP } from './scope.ts'
import { Sources } from './sources.ts'

/** Which columns of a statement come from which. Where it can't be followed, that is said, and nothing thrown. */
export function analysed(statement: Statement, known: KnownTables, traits: Traits): StatementLineage {
  const reports = new Reports()
  const tables = new Tables(known)
  const context: Context = {
    tables,
    traits,
    effort: new Effort(),
    report: (what) => reports.add(what),
    rowSetOf: (query, scope) => rowSetOf(context, query, scope)
  }
  try {
    const writes = statement.kind === 'write' ? tables.find(statement.target).name : null
    const rowSet = statement.kind === 'query' ? ofQuery(context, statement) : ofWrite(context, statement)
    return bounded({
      reads: tables.list(),
      writes,
      outputs: rowSet.columns.map(outputOf),
      rows: rowSet.rows.list(),
      notUnderstood: reports.list()
    })
  } catch (error) {
    if (error instanceof GivenUp) return nothingKnown(error.message)
    throw error
  }
}

const outputOf = ({ name, from }: Column): OutputColumn => ({ name, from: from.list() })

function ofQuery(context: Context, { query }: Extract<Statement, { kind: 'query' }>): RowSet {
  const rowSet = rowSetOf(context, query, TOP)
  sayWhatIsOpen(context, rowSet)
  return rowSet
}

function sayWhatIsOpen(context: Context, { openings }: RowSet): void {
  for (const { table } of openings) {
    if (table !== null) context.report(`The columns of ${table}, which * stands for.`)
  }
}

/** The columns that are written, of all parts together. */
function ofWrite(context: Context, { target, parts }: Extract<Statement, { kind: 'write' }>): RowSet {
  const { name: table, columns: known } = context.tables.find(target)
  const columns = new Map<string, Column>()
  const rows: Sources[] = []
  for (const part of parts) {
    const rowSet = rowSetOf(context, part.query, TOP)
    sayWhatIsOpen(context, rowSet)
    rows.push(rowSet.rows)
    const names = targetNames(part, rowSet, known)
    if (names === null) context.report(`The columns of ${table}, which is written in their order.`)
    for (const [place, { name, from }] of rowSet.columns.entries()) {
      const given = names === null ? `#${place + 1}` : (names[place] ?? name)
      const written = known?.find((one) => isSameName(one, given)) ?? given
      const before = columns.get(folded(written))
      columns.set(folded(written), { name: written, from: before ? Sources.of([before.from, from]) : from })
    }
  }
  const read = [...columns.values()].flatMap(({ from }) => from.list()).concat(Sources.of(rows).list())
  for (const source of read) context.tables.read(source.table)
  return { columns: [...columns.values()], openings: [], rows: Sources.of(rows), order: Sources.none }
}

/** For each column of the query the one of the target that it goes to; null where that can't be told. */
function targetNames({ columns }: WrittenPart, rowSet: RowSet, known: readonly string[] | null) {
  if (columns === 'by name') return rowSet.columns.map(({ name }) => name)
  if (columns !== 'in order') return columns
  return known
}
