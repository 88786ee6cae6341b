import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { DataError } from '../../../data/errors.ts'
import { type ParsedSql, UnknownFunction } from '../../../data/sql-process/statement-check.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { aggregateNames } from '../duckdb/aggregate-names.ts'
import { columnsIn, parseAll, type SqlPart, selectOf, type Tree, treesIn } from '../duckdb/parse-sql.ts'
import { meantType } from '../nodes/index.ts'
import { type KnownColumns, unknownColumn } from '../protocol/known-columns.ts'
import type { NodeProblem } from '../protocol/protocol.ts'
import { type Bindable, Binder, type ToldTypes } from './bind-sql.ts'
import { impossibleCasts } from './constant-casts.ts'
import { branchesOf, refusalOf } from './fence.ts'

/** Functions that make several rows of one, which an expression of a single record may not. */
const EXPANDING = new Set(['unnest', 'generate_subscripts', 'regexp_split_to_table'])

/** Time that binding all expressions of a pipeline may take. */
const BIND_LIMIT_MS = 2000
const MAX_PROBLEMS = 100

/** What is wrong with the SQL in the configuration of nodes. It is parsed and bound, not run. */
export async function checkSql(
  instance: DuckDBInstance,
  nodes: readonly PipelineNode[],
  known?: KnownColumns
): Promise<NodeProblem[]> {
  const connection = await instance.connect()
  try {
    const parts = new Map(nodes.map((node) => [node, meantType(node, nodes)?.sql?.(node.config as never) ?? []]))
    const all = [...parts.values()].flat()
    const parsed = await parseAll(connection, all.map(selectOf))
    const branches = branchesOf(all, parsed)
    const aggregates = await aggregateNames(connection)
    const binder = new Binder(connection, BIND_LIMIT_MS)
    const problems: NodeProblem[] = []
    for (const [node, some] of parts) {
      if (problems.length >= MAX_PROBLEMS) break
      const told = toldTypes(node, nodes)
      const sound: Bindable[] = []
      for (const part of some) {
        const tree = parsed.get(selectOf(part)) as ParsedSql
        const found = faultOf(part, tree, refusalOf(part, tree, node.inputs, branches), aggregates)
        const fault = found instanceof UnknownFunction ? await binder.missing(found) : found
        const message = fault ?? (known && unknownIn(tree, known))
        if (message === undefined) sound.push({ part, parsed: tree, told, groupBy: groupOf(node), inputs: node.inputs })
        else problems.push({ nodeId: node.id, pointer: part.pointer, message })
      }
      const found = await boundFaults(connection, binder, sound)
      problems.push(...found.map((problem) => ({ nodeId: node.id, ...problem })))
    }
    return problems
  } finally {
    connection.closeSync()
  }
}

async function boundFaults(connection: DuckDBConnection, binder: Binder, parts: readonly Bindable[]) {
  const casts = await impossibleCasts(
    connection,
    parts.map(({ parsed }) => parsed)
  )
  const bound = await binder.problemsOf(parts)
  return parts.flatMap(({ part: { pointer } }, i) => {
    const message = bound[i] ?? casts[i]
    return message === undefined ? [] : [{ pointer, message }]
  })
}

function faultOf(
  part: SqlPart,
  parsed: ParsedSql,
  refusal: DataError | undefined,
  aggregates: ReadonlySet<string>
): string | UnknownFunction | undefined {
  const { form } = part
  if (refusal !== undefined) return refusal instanceof UnknownFunction ? refusal : inOwnText(refusal, part)
  if (form === 'statement') return undefined
  for (const tree of treesIn(parsed)) {
    if (tree.class === 'STAR') return 'must not hold * or COLUMNS, which stand for several columns; name the one meant'
    const fault = form === 'row' ? perRecordFault(tree, aggregates) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

/** A fault by its place in the user's text. What was parsed has that text from the second line on, before a parenthesis. */
function inOwnText({ message, position, code }: DataError, { text, form }: SqlPart): string {
  if (code !== 'sql_error') return message
  // A place follows, which a full stop would stand before.
  const what = message.replace(/\n\)(?="$)/, '').replace(/[.!]+$/, '')
  const line = (position?.line ?? Infinity) - (form === 'statement' ? 0 : 1)
  const lines = text.split('\n')
  if (line > lines.length || position === undefined)
    return `${what.replace(/ at (?:or near .*|end of input)$/s, '')} at the end`
  return lines.length === 1
    ? `${what}, character ${position.column}`
    : `${what}, line ${line}, character ${position.column}`
}

/** Names within a lambda are its own. */
function unknownIn(parsed: ParsedSql, known: KnownColumns): string | undefined {
  if (treesIn(parsed).some(({ class: kind }) => kind === 'LAMBDA')) return undefined
  const names = columnsIn(parsed).filter((name) => name !== 'input')
  return names.map((name) => unknownColumn(name, known)).find((message) => message !== undefined)
}

function perRecordFault({ class: kind, function_name: name, type }: Tree, aggregates: ReadonlySet<string>) {
  const called = String(name ?? '').toLowerCase()
  if (kind === 'WINDOW') return 'looks at several records; use a sql node for window functions'
  if (kind === 'SUBQUERY' || type === 'SUBQUERY') return 'must not hold a SELECT; use a sql node'
  if (kind !== 'FUNCTION') return undefined
  if (aggregates.has(called)) return `${called} is a function of several records; use an aggregate node`
  return EXPANDING.has(called) ? `${called} makes several records of one; use a sql node` : undefined
}

/** The types that a source tells for its columns, where no node in between makes other columns of them. */
function toldTypes(node: PipelineNode, nodes: readonly PipelineNode[]): ToldTypes {
  const [input, ...others] = node.inputs
  // Without the node itself: the graph may go round in circles.
  const left = nodes.filter((one) => one !== node)
  const before = others.length === 0 ? left.find(({ id }) => id === input) : undefined
  const type = before && meantType(before, nodes)
  if (before === undefined || type === undefined) return new Map()
  if (type.role === 'transform') return type.accounting === 'filters' ? toldTypes(before, left) : new Map()
  const { columns } = before.config
  if (Array.isArray(columns)) return new Map()
  return new Map(Object.entries(Object(columns)).map(([name, told]) => [name.toLowerCase(), String(told)]))
}

function groupOf({ config: { groupBy } }: PipelineNode): string[] {
  return Array.isArray(groupBy) ? groupBy.map(String) : []
}
