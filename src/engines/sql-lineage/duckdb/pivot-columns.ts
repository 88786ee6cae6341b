import { isNode, type Node, nameIn, nodesIn } from './node.ts'
import { expressionText } from './result-names.ts'

const MOST_COLUMNS = 10_000

/** The columns that PIVOT makes: each combination of values, each aggregate. Undefined where the values are not listed. */
export function pivotColumns(pivots: readonly Node[], aggregates: readonly Node[]) {
  let names: (string | null)[] = [null]
  let isFirst = true
  for (const pivot of pivots) {
    const entries = nodesIn(pivot.entries)
    if (entries.length === 0 || entries.some((entry) => isNode(entry.star_expr))) return undefined
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

function entryName(entry: Node): string | null {
  const alias = nameIn(entry.alias)
  if (alias !== null) return alias
  const texts = nodesIn(entry.values).map(({ type, value }) => {
    const isPlain = isNode(type) && /^(?:VARCHAR|TINYINT|SMALLINT|INTEGER|BIGINT)$/.test(String(type.id))
    return isPlain && (typeof value === 'string' || typeof value === 'number') ? String(value) : null
  })
  return texts.includes(null) || texts.length === 0 ? null : texts.join('_')
}
