import type { MappingKind } from '../../lineage/index.ts'
import type { ColumnWay, FromColumn, Ways } from '../contract/ways.ts'
import { after, bitOf, type Kinds, kindsIn, ofWhole } from './kinds.ts'

/** A node of the graph with what it makes of columns; of a source, its columns alone. */
export type Station =
  | {
      readonly id: string
      readonly role: 'source'
      readonly columns: readonly string[]
      /** They are made from what it reads, by who knows which. */
      readonly areMade: boolean
    }
  | {
      readonly id: string
      readonly role: 'transform' | 'sink'
      readonly inputs: readonly string[]
      readonly ways: Ways
    }

/** A column of a source that something comes from; without a name, it may be any of them. */
export interface Traced {
  readonly source: string
  readonly column: string | null
  readonly kind: MappingKind
}

/** What the columns of a sink come from, all the way. */
export interface TracedSink {
  readonly id: string
  readonly columns: readonly { readonly name: string; readonly type?: string; readonly from: readonly Traced[] }[]
  readonly rows: readonly Traced[]
}

export interface ComposeLimits {
  /** Of more columns of sources than this, only the sources are told. */
  readonly maxSources: number
  /** What may be looked at before only sources are told of all that follows. */
  readonly maxSteps: number
}

export const COMPOSE_LIMITS: ComposeLimits = { maxSources: 250, maxSteps: 500_000 }

/** By place among all columns of sources; after these stand the sources as wholes. */
type Sources = ReadonlyMap<number, Kinds>

interface Composed {
  readonly columns: ReadonlyMap<string, Sources>
  readonly rows: Sources
  readonly whole: Sources
}

const NOTHING: Composed = { columns: new Map(), rows: new Map(), whole: new Map() }

/** Follows columns from the sinks back to the sources; stations come in an order in which inputs come before what they feed. */
export function compose(
  stations: readonly Station[],
  limits = COMPOSE_LIMITS
): { sinks: TracedSink[]; isCut: boolean } {
  const book = new Book(limits)
  const composed = new Map<string, Composed>()
  const sinks: TracedSink[] = []
  for (const station of stations) {
    if (station.role === 'source') {
      composed.set(station.id, book.source(station))
      continue
    }
    const inputs = station.inputs.map((id) => composed.get(id) ?? NOTHING)
    const { columns, rows } = station.ways
    const made = columns.map((way) => [way, book.sources(way.from, inputs)] as const)
    const own = book.sources(rows, inputs)
    const allRows = book.merged([own, ...inputs.map((input) => input.rows)])
    composed.set(station.id, {
      columns: new Map(made.map(([{ name }, sources]) => [name.toLowerCase(), sources])),
      rows: allRows,
      whole: book.merged(inputs.map(({ whole }) => whole))
    })
    if (station.role === 'sink') {
      sinks.push({
        id: station.id,
        columns: made.map(([way, sources]) => ({ ...named(way), from: book.traced(sources) })),
        rows: book.traced(allRows)
      })
    }
  }
  return { sinks, isCut: book.isCut }
}

const named = ({ name, type }: ColumnWay) => (type === undefined ? { name } : { name, type })

interface Place {
  readonly source: string
  readonly column: string | null
  /** The place of the source as a whole. */
  readonly whole: number
}

interface Part {
  readonly sources: Sources
  readonly step: Kinds
}

/** Which columns of sources there are, and how much has been looked at. */
class Book {
  readonly #limits: ComposeLimits
  readonly #places: Place[] = []
  #steps = 0
  isCut = false

  constructor(limits: ComposeLimits) {
    this.#limits = limits
  }

  source({ id, columns, areMade }: Extract<Station, { role: 'source' }>): Composed {
    const whole = this.#add(id, null)
    const made: Sources = new Map([[whole, bitOf('computed')]])
    const sources = columns.map((column) => {
      return [column.toLowerCase(), areMade ? made : only(this.#add(id, column, whole))] as const
    })
    return { columns: new Map(sources), rows: new Map(), whole: only(whole) }
  }

  sources(from: readonly FromColumn[], inputs: readonly Composed[]): Sources {
    this.#steps += from.length
    if (this.#steps > this.#limits.maxSteps) return this.#ofWholes(from, inputs)
    const parts: Part[] = []
    for (const { input, column, kind } of from) {
      const { columns, whole } = inputs[input] ?? NOTHING
      const sources = column === null ? whole : columns.get(column.toLowerCase())
      if (sources !== undefined) parts.push({ sources, step: column === null ? ofWhole(bitOf(kind)) : bitOf(kind) })
    }
    const [first] = parts
    // The same for all columns that go through as they are.
    if (parts.length === 1 && first?.step === bitOf('identity')) return first.sources
    return this.#merge(parts)
  }

  merged(parts: readonly Sources[]): Sources {
    const some = parts.filter(({ size }) => size > 0)
    const [first] = some
    if (some.length < 2) return first ?? NOTHING.rows
    return this.#merge(some.map((sources) => ({ sources, step: bitOf('identity') })))
  }

  traced(sources: Sources): Traced[] {
    return [...sources].flatMap(([place, kinds]) => {
      const { source, column } = this.#places[place] as Place
      return kindsIn(kinds).map((kind) => ({ source, column, kind }))
    })
  }

  #add(source: string, column: string | null, whole = this.#places.length): number {
    return this.#places.push({ source, column, whole }) - 1
  }

  /** Without looking for each column: any of the inputs that are named. */
  #ofWholes(from: readonly FromColumn[], inputs: readonly Composed[]): Sources {
    this.isCut = true
    const steps = inputs.map(() => 0)
    for (const { input, kind } of from) steps[input] = (steps[input] ?? 0) | ofWhole(bitOf(kind))
    return this.#merge(
      inputs.flatMap(({ whole }, input) =>
        kindsIn(steps[input] as Kinds).map((kind) => ({ sources: whole, step: bitOf(kind) }))
      )
    )
  }

  #merge(parts: readonly Part[]): Sources {
    const { maxSources, maxSteps } = this.#limits
    let merged = new Map<number, Kinds>()
    let areWhole = false
    for (const { sources, step } of parts) {
      for (const [place, kinds] of sources) {
        const known = areWhole ? (this.#places[place]?.whole as number) : place
        const made = after(kinds, step)
        merged.set(known, (merged.get(known) ?? 0) | (areWhole && known !== place ? ofWhole(made) : made))
      }
      this.#steps += sources.size
      if (!areWhole && (merged.size > maxSources || this.#steps > maxSteps)) {
        areWhole = true
        this.isCut = true
        merged = this.#wholes(merged)
      }
    }
    return merged
  }

  #wholes(sources: Sources): Map<number, Kinds> {
    const wholes = new Map<number, Kinds>()
    for (const [place, kinds] of sources) {
      const { whole } = this.#places[place] as Place
      wholes.set(whole, (wholes.get(whole) ?? 0) | (whole === place ? kinds : ofWhole(kinds)))
    }
    return wholes
  }
}

const only = (place: number): Sources => new Map([[place, bitOf('identity')]])
