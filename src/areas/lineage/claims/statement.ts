import { hash } from 'node:crypto'
import { nodeKey } from '../references.ts'
import type { ColumnMapping, MappingKind, Sighting } from '../sighting.ts'

/**
 * Everything that a run says it reads and writes, as a set of facts. A fact is the text of a JSON array: `["r",node]` and
 * `["w",node]` for what the job reads and writes, or `[node,column,node,column,kind]` for what becomes of a column. An empty
 * column is all of the data.
 */
export interface Statement {
  /** Of the facts; the same facts have the same. */
  readonly hash: string
  readonly facts: ReadonlySet<string>
}

export type Fact = ReadFact | WriteFact | MappingFact
type ReadFact = readonly ['r', string]
type WriteFact = readonly ['w', string]
type MappingFact = readonly [from: string, fromColumn: string, to: string, toColumn: string, kind: MappingKind]

export const readFact = (text: string): Fact => JSON.parse(text) as Fact

export const isMapping = (fact: Fact): fact is MappingFact => fact.length > 2

/** The facts that one sighting tells. */
export function factsOf({ inputs, outputs, columns }: Pick<Sighting, 'inputs' | 'outputs' | 'columns'>): string[] {
  return [
    ...inputs.map(({ reference }) => JSON.stringify(['r', nodeKey(reference)])),
    ...outputs.map(({ reference }) => JSON.stringify(['w', nodeKey(reference)])),
    ...columns.map(mappingFact)
  ]
}

const mappingFact = ({ from, to, kind }: ColumnMapping) =>
  JSON.stringify([nodeKey(from.reference), from.column ?? '', nodeKey(to.reference), to.column ?? '', kind])

export const NOTHING: Statement = statementOf([])

export function statementOf(facts: Iterable<string>): Statement {
  const set = new Set([...facts].sort())
  return {
    hash: hash('sha256', [...set].join('\n'), 'base64url').slice(0, 22),
    facts: set
  }
}

/** A statement with some facts more; itself where it has them all. */
export function withFacts(statement: Statement, facts: readonly string[]): Statement {
  return facts.every((fact) => statement.facts.has(fact)) ? statement : statementOf([...statement.facts, ...facts])
}

export const writeStatement = ({ facts }: Statement): string => `[${[...facts].join(',')}]`

/** The statement that was written; its facts come back as the texts that they were. */
export const readStatement = (hash: string, text: string): Statement => ({
  hash,
  facts: new Set((JSON.parse(text) as Fact[]).map((fact) => JSON.stringify(fact)))
})
