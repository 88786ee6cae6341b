import { isNode, type Node, nameIn, nodesIn, textsIn } from './node.ts'
import { expressionText } from './result-names.ts'

const MOST_COLUMNS = 10_000

/** The columns that PIVOT makes: each combination of values, each aggregate. Undefined where the values are not listed. */
export function pivotColumns(pivots: readonly Node[], aggregates: readonly Node[]) {
  let names: (string | null)[] = [null]
  let isFirst = true
  for (const pivot of pivots) {
    const entries = nodesIn(pivot.entries)
    if (entries.length === 0 || entries.some(isStar)) return undefined
    if (names.length * entries.length * aggregates.length > MOST_COLUMNS) return undefined
    const values = entries.map(entryName)
    const before = names
    names = isFirst ? values : before.flatMap((name) => values.map((value) => together(name, value)))
    isFirst = false
  }
  return names.flatMap((name) =>
    aggregates.map((aggregate, place) => {
      const own = nameIn(aggregate.alias)
      if (own === null && aggregates.length === 1) return { name, aggregate: place }
      return { name: together(name, own ?? expressionText(aggregate)), aggregate: place }
    })
  )
}

const together = (one: string | null, other: string | null) =>
  one === null || other === null ? null : `${one}_${other}`

const isStar = ({ star_expr: expression }: Node) => isNode(expression) && expression.class === 'STAR'

/** The expressions of an item in the list of PIVOT or UNPIVOT, which may be several in brackets. */
export function entryParts({ star_expr: expression }: Node): Node[] {
  if (!isNode(expression)) return []
  return expression.class === 'FUNCTION' && expression.function_name === 'row'
    ? nodesIn(expression.children)
    : [expression]
}

function entryName(entry: Node): string | null {
  const alias = nameIn(entry.alias)
  if (alias !== null) return alias
  const texts = entryParts(entry).map(valueText)
  return texts.includes(null) || texts.length === 0 ? null : texts.join('_')
}

/** What stands for a value in the name of a column; a name without quotes is a text here. */
function valueText(part: Node): string | null {
  if (part.class === 'COLUMN_REF') return textsIn(part.column_names).at(-1) ?? null
  if (part.class !== 'CONSTANT' || !isNode(part.value)) return null
  const { type, value } = part.value
  const isPlain = isNode(type) && /^(?:VARCHAR|TINYINT|SMALLINT|INTEGER|BIGINT)$/.test(String(type.id))
  return isPlain && (typeof value === 'string' || typeof value === 'number') ? String(value) : null
}
