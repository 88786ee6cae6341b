import type { Typed } from './values.ts'

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** The names of labels; one that no node has any more is still known. */
export const LABELS = 'CALL db.labels() YIELD label RETURN label ORDER BY label'

/** Some nodes of a label, to find its properties by. */
export const sampleOf = (label: string, count: number) =>
  `MATCH (n:${quote(label)}) RETURN properties(n) AS properties LIMIT ${count}`

/** Where a page of a label goes on: after a value of a property, and among nodes that have the same, after an id. */
export interface Following {
  readonly label: string
  readonly column: string | undefined
  /** Nodes after this value; undefined for all that have one. */
  readonly after: Typed | undefined
  /** The last node of the page before. */
  readonly last: { readonly id: Typed; readonly value: Typed } | undefined
  readonly size: number
}

export interface Statement {
  readonly statement: string
  readonly parameters: Readonly<Record<string, Typed>>
}

export function pageOf({ label, column, after, last, size }: Following): Statement {
  const value = column === undefined ? undefined : `n.${quote(column)}`
  const filters: string[] = []
  const parameters: Record<string, Typed> = {}
  if (last !== undefined) {
    parameters.id = last.id
    if (value === undefined) filters.push('elementId(n) > $id')
    else {
      parameters.value = last.value
      filters.push(`(${value} > $value OR (${value} = $value AND elementId(n) > $id))`)
    }
  } else if (after !== undefined && value !== undefined) {
    parameters.value = after
    filters.push(`${value} > $value`)
  } else if (value !== undefined) filters.push(`${value} IS NOT NULL`)
  const where = filters.length === 0 ? '' : ` WHERE ${filters.join(' AND ')}`
  const order = value === undefined ? 'elementId(n)' : `${value}, elementId(n)`
  return {
    statement: `MATCH (n:${quote(label)})${where} RETURN elementId(n) AS id, properties(n) AS properties ORDER BY ${order} LIMIT ${size}`,
    parameters
  }
}
