import type { ColumnSeen, DataSeen, JobSeen } from '../sighting.ts'

/** What is told of a node beside its edges. */
export interface NodeFacts {
  readonly name?: string
  readonly columns?: readonly ColumnSeen[]
  readonly owners?: readonly string[]
  readonly description?: string
  /** Whether it is gone. */
  readonly deleted?: boolean
  /** Whether the source or the pipeline is gone that it is data of, which never comes back, whatever runs name. */
  readonly ownerGone?: boolean
  /** What a person wrote of it, which counts in place of the rest, whatever is told later. */
  readonly said?: Said
}

export type Said = Pick<NodeFacts, 'name' | 'owners' | 'description'>

/** Each fact with the time of its telling: the latest counts, whatever comes first. */
export type DatedFacts = { readonly [K in keyof NodeFacts]?: readonly [ms: number, value: NodeFacts[K]] }

export function dated(facts: NodeFacts, timeMs: number): DatedFacts {
  const told = Object.entries(facts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(told.map(([name, value]) => [name, [timeMs, value]]))
}

/** The same whichever is first; of two facts of the same time, the one that comes later in the alphabet. */
export function merged(a: DatedFacts, b: DatedFacts): DatedFacts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort() as (keyof NodeFacts)[]
  return Object.fromEntries(names.map((name) => [name, later(a[name], b[name])]))
}

type Dated = readonly [ms: number, value: unknown]

function later(a: Dated | undefined, b: Dated | undefined): Dated | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a[0] !== b[0]) return a[0] > b[0] ? a : b
  return JSON.stringify(a[1]) > JSON.stringify(b[1]) ? a : b
}

/** What counts of it all. */
export function undated(facts: DatedFacts): NodeFacts {
  const values: NodeFacts = Object.fromEntries(Object.entries(facts).map(([name, [, value]]) => [name, value]))
  return { ...values, ...values.said, ...(values.ownerGone && { deleted: true }) }
}

/** What was seen is there: a sighting takes back that it is gone. */
export const factsOfData = ({ name, columns, owners, description }: DataSeen): NodeFacts => ({
  ...(name !== undefined && { name }),
  ...(columns && { columns }),
  ...(owners && { owners }),
  ...(description !== undefined && { description })
})

export const factsOfJob = ({ name, owners, description }: JobSeen): NodeFacts => ({
  ...(name !== undefined && { name }),
  ...(owners && { owners }),
  ...(description !== undefined && { description })
})
