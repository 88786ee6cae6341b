import type { ColumnMapping, ColumnPlace, ColumnSeen, DataSeen } from '../../lineage/index.ts'
import { typesOf } from '../nodes/index.ts'
import type { RunLineage } from '../protocol/run-lineage.ts'
import { compose, type Traced, type TracedSink } from './compose.ts'
import { queriesOf, type ReadQuery, tableStations } from './queries.ts'
import { dataOf, outputReference, outputSinks } from './references.ts'
import { type StationNeeds, stationsOf } from './stations.ts'

/** Mappings of one run. Of those beyond, only the data are told. */
const MAX_MAPPINGS = 10_000

interface Needs extends Omit<StationNeeds, 'types' | 'queries'> {
  readonly pipelineId: string
  /** Reads statements of other databases. */
  readonly readQuery: ReadQuery
}

/** What comes from where in a run whose nodes have given these columns. `isCut`: it is less than is known. */
export async function lineageOfRun({
  pipelineId,
  readQuery,
  ...needs
}: Needs): Promise<RunLineage & { isCut: boolean }> {
  const { order, given } = needs
  const types = typesOf(order)
  const queries = await queriesOf(order, types, readQuery)
  const { sinks, isCut } = compose(await stationsOf({ ...needs, types, queries }))
  const references = new Map(order.map((node) => [node.id, dataOf(node, types.get(node.id))]))
  for (const [id, query] of queries) {
    for (const { station, reference } of tableStations(id, query)) references.set(station, [reference])
  }
  const data = new Data()
  const sources = order.filter(({ id }) => types.get(id)?.role === 'source')
  for (const { id } of sources) {
    const query = queries.get(id)
    if (query === undefined) data.add('inputs', references.get(id) ?? [], given.get(id) ?? [])
    // The columns that it gives are those of no table.
    else data.add('inputs', [...(references.get(id) ?? []), ...query.tables.values()], [])
  }
  const mappings = new Mappings((source) => references.get(source) ?? [])
  const outputs = new Set(outputSinks(order).map(({ id }) => id))
  for (const sink of sinks) {
    const written = [...(references.get(sink.id) ?? []), ...(outputs.has(sink.id) ? [outputReference(pipelineId)] : [])]
    data.add('outputs', written, sink.columns)
    for (const reference of written) mappings.add(reference, sink)
  }
  const isWhole = sources.every(({ id }) => given.has(id))
  return { ...data.seen(), columns: mappings.all(), isWhole, isCut: isCut || mappings.isCut }
}

/** The data of a run, each once, with the columns of all that read or write them. */
class Data {
  readonly #seen = {
    inputs: new Map<string, Map<string, ColumnSeen>>(),
    outputs: new Map<string, Map<string, ColumnSeen>>()
  }

  add(side: 'inputs' | 'outputs', references: readonly string[], columns: readonly ColumnSeen[]): void {
    for (const reference of references) {
      const known = this.#seen[side].get(reference) ?? new Map<string, ColumnSeen>()
      for (const { name, type } of columns) {
        if (!known.has(name.toLowerCase()))
          known.set(name.toLowerCase(), type === undefined ? { name } : { name, type })
      }
      this.#seen[side].set(reference, known)
    }
  }

  seen(): Pick<RunLineage, 'inputs' | 'outputs'> {
    const listed = (side: 'inputs' | 'outputs') =>
      [...this.#seen[side]].map(([reference, columns]): DataSeen => {
        return columns.size === 0 ? { reference } : { reference, columns: [...columns.values()] }
      })
    return { inputs: listed('inputs'), outputs: listed('outputs') }
  }
}

/** Each once, and no more than there may be. */
class Mappings {
  readonly #referencesOf: (source: string) => readonly string[]
  readonly #mappings = new Map<string, ColumnMapping>()
  isCut = false

  constructor(referencesOf: (source: string) => readonly string[]) {
    this.#referencesOf = referencesOf
  }

  add(reference: string, { columns, rows }: TracedSink): void {
    for (const { name, from } of columns) this.#addAll(from, { reference, column: name })
    this.#addAll(rows, { reference, column: null })
  }

  all(): ColumnMapping[] {
    return [...this.#mappings.values()]
  }

  #addAll(traced: readonly Traced[], to: ColumnPlace): void {
    for (const { source, column, kind } of traced) {
      for (const reference of this.#referencesOf(source)) this.#add({ from: { reference, column }, to, kind })
    }
  }

  #add(mapping: ColumnMapping): void {
    const key = keyOf(mapping)
    if (this.#mappings.size < MAX_MAPPINGS || this.#mappings.has(key)) {
      this.#mappings.set(key, mapping)
      return
    }
    this.isCut = true
    const from = { reference: mapping.from.reference, column: null }
    const to = { reference: mapping.to.reference, column: null }
    const whole = { from, to, kind: 'computed' as const }
    this.#mappings.set(keyOf(whole), whole)
  }
}

const keyOf = ({ from, to, kind }: ColumnMapping): string =>
  JSON.stringify([from.reference, from.column, to.reference, to.column, kind])
