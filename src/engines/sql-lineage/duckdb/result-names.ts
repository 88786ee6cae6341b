import { isNode, type Node, nodesIn, textOf, textsIn } from './node.ts'

/**
 * What DuckDB calls a column of a result that has no alias: the expression as DuckDB writes it. Null where that is not
 * known here; a wrong name would be worse.
 */
export function resultName(node: Node): string | null {
  if (node.class === 'COLUMN_REF') return textsIn(node.column_names).at(-1) ?? null
  return expressionText(node)
}

const DEEPEST = 30

export function expressionText(node: unknown, depth = 0): string | null {
  if (!isNode(node) || depth > DEEPEST) return null
  const text = (child: unknown) => expressionText(child, depth + 1)
  switch (node.class) {
    case 'COLUMN_REF':
      return all(textsIn(node.column_names).map(plainName))?.join('.') ?? null
    case 'CONSTANT':
      return constantText(node.value)
    case 'FUNCTION':
      return functionText(node, text)
    case 'COMPARISON':
      return between(text(node.left), COMPARISONS.get(textOf(node.type)), text(node.right))
    case 'CONJUNCTION': {
      const parts = all(nodesIn(node.children).map(text))
      return parts && `(${parts.join(node.type === 'CONJUNCTION_OR' ? ' OR ' : ' AND ')})`
    }
    case 'CAST':
      return castText(node, text(node.child))
    case 'OPERATOR':
      return operatorText(node, all(nodesIn(node.children).map(text)))
    default:
      return null
  }
}

const all = (texts: readonly (string | null)[]): string[] | null =>
  texts.every((text) => text !== null) ? (texts as string[]) : null

/** Names that DuckDB would quote are left alone: which ones they are depends on its keywords. */
const plainName = (name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) && name.length < 64 && !KEYWORDS.has(name) ? name : null
const KEYWORDS = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create date day default deferrable
  desc describe distinct do double else end except false fetch first for foreign from grant group having hour in initially interval
  intersect into lambda last lateral leading limit minute month not null offset on only or order pivot placing primary qualify
  references returning second select show some summarize symmetric table text then time timestamp to trailing true union
  unique unpivot using value values variadic week when where window with year`.split(/\s+/)
)

function constantText(value: unknown): string | null {
  if (!isNode(value) || !isNode(value.type)) return null
  if (value.is_null === true) return 'NULL'
  const { id } = value.type
  if ((id === 'INTEGER' || id === 'BIGINT') && Number.isSafeInteger(value.value)) return String(value.value)
  return id === 'VARCHAR' && typeof value.value === 'string' ? `'${value.value.replaceAll("'", "''")}'` : null
}

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['COMPARE_EQUAL', '='],
  ['COMPARE_NOTEQUAL', '!='],
  ['COMPARE_LESSTHAN', '<'],
  ['COMPARE_GREATERTHAN', '>'],
  ['COMPARE_LESSTHANOREQUALTO', '<='],
  ['COMPARE_GREATERTHANOREQUALTO', '>=']
])

const between = (left: string | null, operator: string | undefined, right: string | null): string | null =>
  left === null || right === null || operator === undefined ? null : `(${left} ${operator} ${right})`

function functionText(node: Node, text: (child: unknown) => string | null): string | null {
  const parts = all(nodesIn(node.children).map((child) => (textOf(child.alias) === '' ? text(child) : null)))
  const hasOrder = isNode(node.order_bys) && nodesIn(node.order_bys.orders).length > 0
  const isPlain = !isNode(node.filter) && !hasOrder && textOf(node.schema) === '' && textOf(node.catalog) === ''
  if (parts === null || !isPlain || node.export_state === true) return null
  const name = textOf(node.function_name)
  if (node.is_operator !== true) {
    return /^[a-z_][a-z0-9_]*$/.test(name)
      ? `${name}(${node.distinct === true ? 'DISTINCT ' : ''}${parts.join(', ')})`
      : null
  }
  const [left, right] = parts
  if (parts.length === 2) return between(left as string, name, right as string)
  return parts.length === 1 && name === '-' ? `-(${left})` : null
}

const CAST_TYPES = /^(?:INTEGER|BIGINT|SMALLINT|VARCHAR|BOOLEAN|FLOAT|DECIMAL|TIMESTAMP|TIME)$/
/** DuckDB writes these as names with quotes. */
const QUOTED_TYPES = /^(?:DOUBLE|DATE|TIMESTAMP WITH TIME ZONE|TINYINT|HUGEINT|U[A-Z]*INT(?:EGER)?|BLOB|UUID)$/

function castText({ cast_type, try_cast }: Node, child: string | null): string | null {
  const type = typeText(cast_type)
  return child === null || type === null ? null : `${try_cast === true ? 'TRY_CAST' : 'CAST'}(${child} AS ${type})`
}

/** A type that is plain, or DECIMAL with its digits. */
function typeText(type: unknown): string | null {
  const said = isNode(type) && isNode(type.type_info) ? type.type_info.expr : undefined
  if (!isNode(said) || said.class !== 'TYPE' || textOf(said.schema) !== '') return null
  const name = textOf(said.type_name)
  const digits = nodesIn(said.children).map(({ value }) => constantText(value))
  if (digits.length === 0 && QUOTED_TYPES.test(name)) return `"${name}"`
  if (digits.length === 0) return CAST_TYPES.test(name) ? name : null
  return name === 'DECIMAL' && digits.every((one) => one !== null) ? `DECIMAL(${digits.join(', ')})` : null
}

function operatorText({ type }: Node, parts: readonly string[] | null): string | null {
  const [first, ...rest] = parts ?? []
  if (first === undefined) return null
  if (type === 'OPERATOR_COALESCE') return `COALESCE(${[first, ...rest].join(', ')})`
  if (type === 'OPERATOR_IS_NULL') return `(${first} IS NULL)`
  if (type === 'OPERATOR_IS_NOT_NULL') return `(${first} IS NOT NULL)`
  if (type === 'OPERATOR_NOT') return `(NOT ${first})`
  return type === 'COMPARE_IN' ? `(${first} IN (${rest.join(', ')}))` : null
}
