import { folded } from '../names.ts'
import { identifier, kindOf, listOf, nodeOf, ofKind, pathIn } from './tree.ts'

interface Named {
  readonly name: string
  /** A cast and the last branch of CASE take no name from it. */
  readonly isWeak: boolean
}

const DEEPEST = 30

/**
 * What PostgreSQL calls a column of a result that has no alias. Null where that is not known here, and where it is `?column?`,
 * as all are that have no name.
 */
export const postgresName = (expression: unknown): string | null => named(expression, 0)?.name ?? null

function named(expression: unknown, depth: number): Named | undefined {
  const found = kindOf(expression)
  if (found === undefined || depth > DEEPEST) return undefined
  const { kind, value } = found
  const node = nodeOf(value)
  const deeper = (one: unknown) => named(one, depth + 1)
  const fixed = FIXED.get(kind)
  if (fixed !== undefined) return strong(fixed)
  switch (kind) {
    case 'Identifier':
      return strong(nameOf(value))
    case 'CompoundIdentifier':
      return strong(nameOf(listOf(value).at(-1)))
    case 'Nested':
      return deeper(value)
    case 'Collate':
      return deeper(node.expr)
    case 'CompoundFieldAccess': {
      const fields = listOf(node.access_chain).flatMap((one) => ofKind(ofKind(one, 'Dot'), 'Identifier') ?? [])
      return fields.length > 0 ? strong(nameOf(fields.at(-1))) : deeper(node.root)
    }
    case 'Function':
      return strong(nameOf(ofKind(listOf(node.name).at(-1), 'Identifier')))
    case 'Subquery':
      return ofSubquery(node.body, deeper)
    case 'Trim':
      return strong(TRIMS.get(String(node.trim_where)) ?? 'btrim')
    case 'Case':
      return unlessWeak(deeper(node.else_result)) ?? weak('case')
    case 'Cast':
      return unlessWeak(deeper(node.expr)) ?? weak(TYPES.get(kindOf(node.data_type)?.kind ?? ''))
    case 'TypedString':
      return weak(TYPES.get(kindOf(node.data_type)?.kind ?? ''))
    case 'Interval':
      return weak('interval')
    default:
      return undefined
  }
}

const strong = (name: string): Named | undefined => (name === '' ? undefined : { name, isWeak: false })
const weak = (name: string | undefined): Named | undefined => (name === undefined ? undefined : { name, isWeak: true })
const unlessWeak = (one: Named | undefined): Named | undefined => (one?.isWeak ? undefined : one)

/** PostgreSQL writes names in small letters where they stand without quotes. */
const nameOf = (item: unknown): string => (nodeOf(item).quote_style ? identifier(item) : folded(identifier(item)))

/** As the only column of the subquery is called. */
function ofSubquery(body: unknown, deeper: (item: unknown) => Named | undefined): Named | undefined {
  const [item] = listOf(nodeOf(ofKind(body, 'Select')).projection)
  const [alias] = pathIn([nodeOf(ofKind(item, 'ExprWithAlias')).alias])
  if (alias !== undefined) return strong(nameOf(nodeOf(ofKind(item, 'ExprWithAlias')).alias))
  const name = deeper(ofKind(item, 'UnnamedExpr'))
  return name && { ...name, isWeak: false }
}

const FIXED: ReadonlyMap<string, string> = new Map([
  ['Array', 'array'],
  ['AtTimeZone', 'timezone'],
  ['Ceil', 'ceil'],
  ['Exists', 'exists'],
  ['Extract', 'extract'],
  ['Floor', 'floor'],
  ['Overlay', 'overlay'],
  ['Position', 'position'],
  ['Substring', 'substring']
])

const TRIMS: ReadonlyMap<string, string> = new Map([
  ['Leading', 'ltrim'],
  ['Trailing', 'rtrim']
])

/** What PostgreSQL itself calls its types, by what the parser does. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['BigInt', 'int8'],
  ['Bool', 'bool'],
  ['Boolean', 'bool'],
  ['Bytea', 'bytea'],
  ['Date', 'date'],
  ['Decimal', 'numeric'],
  ['DoublePrecision', 'float8'],
  ['Int', 'int4'],
  ['Integer', 'int4'],
  ['JSON', 'json'],
  ['JSONB', 'jsonb'],
  ['Numeric', 'numeric'],
  ['Real', 'float4'],
  ['SmallInt', 'int2'],
  ['Text', 'text'],
  ['Uuid', 'uuid'],
  ['Varchar', 'varchar']
])
