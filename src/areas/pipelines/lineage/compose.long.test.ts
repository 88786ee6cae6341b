import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { MappingKind } from '../../lineage/index.ts'
import type { FromColumn, Ways } from '../contract/ways.ts'
import { COMPOSE_LIMITS, compose, type Station, type Traced } from './compose.ts'

/** What wins on a way of several steps, the strongest last. */
const KINDS: readonly MappingKind[] = ['identity', 'computed', 'sorted', 'grouped', 'joined', 'filtered', 'masked']
const NAMES = ['a', 'b', 'C', 'd']

const strongest = (kinds: readonly MappingKind[]): MappingKind =>
  KINDS[Math.max(...kinds.map((kind) => KINDS.indexOf(kind)))] as MappingKind

/** One way from a sink to a source, with the kinds of its steps. */
interface Path {
  readonly source: string
  readonly column: string | null
  readonly kinds: readonly MappingKind[]
}

/** Follows every way by itself, without sharing anything. */
function naive(stations: readonly Station[]) {
  const stationOf = (id: string) => stations.find((station) => station.id === id) as Station
  const wholeOf = (id: string): Path[] => {
    const station = stationOf(id)
    return station.role === 'source' ? [{ source: id, column: null, kinds: [] }] : station.inputs.flatMap(wholeOf)
  }
  const column = (id: string, name: string): Path[] => {
    const station = stationOf(id)
    if (station.role !== 'source') {
      const way = station.ways.columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
      return (way?.from ?? []).flatMap((from) => onwards(station, from))
    }
    const own = station.columns.find((one) => one.toLowerCase() === name.toLowerCase())
    if (own === undefined) return []
    return station.areMade
      ? [{ source: id, column: null, kinds: ['computed'] }]
      : [{ source: id, column: own, kinds: [] }]
  }
  const onwards = (
    station: Extract<Station, { inputs: unknown }>,
    { input, column: name, kind }: FromColumn
  ): Path[] => {
    const id = station.inputs[input]
    if (id === undefined) return []
    const step = name === null && kind === 'identity' ? 'computed' : kind
    const paths = name === null ? wholeOf(id) : column(id, name)
    return paths.map((path) => ({ ...path, kinds: [...path.kinds, step] }))
  }
  const rows = (id: string): Path[] => {
    const station = stationOf(id)
    if (station.role === 'source') return []
    return [...station.ways.rows.flatMap((from) => onwards(station, from)), ...station.inputs.flatMap(rows)]
  }
  return { column, rows, feeds: (id: string) => wholeOf(id).map(({ source }) => source) }
}

const textOf = ({ source, column, kind }: Traced): string => `${source}.${column ?? '*'} ${kind}`
const texts = (traced: readonly Traced[]): string[] => [...new Set(traced.map(textOf))].sort()
const tracedOf = (paths: readonly Path[]): Traced[] =>
  paths.map(({ source, column, kinds }) => ({ source, column, kind: strongest(['identity', ...kinds]) }))

const from: fc.Arbitrary<FromColumn> = fc.record({
  input: fc.nat(2),
  column: fc.option(fc.constantFrom(...NAMES, 'c', 'nowhere'), { freq: 6 }),
  kind: fc.constantFrom(...KINDS)
})
const ways: fc.Arbitrary<Ways> = fc.record({
  columns: fc.uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), from: fc.array(from, { maxLength: 4 }) }), {
    selector: ({ name }) => name
  }),
  rows: fc.array(from, { maxLength: 3 })
})
const made = fc.record({ ways, inputs: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), isSink: fc.boolean() })
const source = fc.record({ columns: fc.uniqueArray(fc.constantFrom(...NAMES)), areMade: fc.boolean() })

/** Sources first; each of the others is fed by some of those before it. */
const graphs = fc
  .tuple(fc.array(source, { minLength: 1, maxLength: 3 }), fc.array(made, { minLength: 1, maxLength: 7 }))
  .map(([sources, others]): Station[] => {
    const stations: Station[] = sources.map((one, i) => ({ id: `s${i}`, role: 'source', ...one }))
    for (const [i, one] of others.entries()) {
      const feeds = stations.filter(({ role }) => role !== 'sink')
      const inputs = one.inputs.map((n) => feeds[n % feeds.length]?.id as string)
      stations.push({ id: `n${i}`, role: one.isSink ? 'sink' : 'transform', inputs, ways: one.ways })
    }
    return stations
  })

describe('the way of columns through a graph', () => {
  it('is the same as following every way by itself', () => {
    fc.assert(
      fc.property(graphs, (stations) => {
        const model = naive(stations)
        const { sinks, isCut } = compose(stations)
        assert.ok(!isCut)
        assert.deepEqual(
          sinks.map(({ id }) => id),
          stations.filter(({ role }) => role === 'sink').map(({ id }) => id)
        )
        for (const { id, columns, rows } of sinks) {
          for (const { name, from } of columns) assert.deepEqual(texts(from), texts(tracedOf(model.column(id, name))))
          assert.deepEqual(texts(rows), texts(tracedOf(model.rows(id))))
        }
      }),
      { numRuns: 1000 }
    )
  })

  it('names whole sources where there is too much to say, and leaves none out', () => {
    const limits = fc.record({ maxSources: fc.nat(4), maxSteps: fc.nat(20) })
    fc.assert(
      fc.property(graphs, limits, (stations, limit) => {
        const model = naive(stations)
        for (const { id, columns, rows } of compose(stations, limit).sinks) {
          for (const { name, from } of columns) requireCovered(from, tracedOf(model.column(id, name)), model.feeds(id))
          requireCovered(rows, tracedOf(model.rows(id)), model.feeds(id))
        }
      }),
      { numRuns: 1000 }
    )
  })

  it('stays small in a pipeline of a thousand columns that all come from all', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `c${i}`)
    const all = names.map((column) => ({ input: 0, column, kind: 'computed' as const }))
    const ways = { columns: names.map((name) => ({ name, from: all })), rows: all }
    const stations: Station[] = [{ id: 's', role: 'source', columns: names, areMade: false }]
    for (let i = 0; i < 30; i++) {
      const role = i === 29 ? 'sink' : 'transform'
      stations.push({ id: `n${i}`, role, inputs: [i === 0 ? 's' : `n${i - 1}`], ways })
    }
    const { sinks, isCut } = compose(stations, COMPOSE_LIMITS)
    assert.ok(isCut)
    assert.deepEqual(texts(sinks[0]?.columns[7]?.from ?? []), ['s.* computed'])
    assert.deepEqual(texts(sinks[0]?.rows ?? []), ['s.* computed'])
  })
})

/** Everything is named, as it is or by its source; and nothing that is not there. */
function requireCovered(told: readonly Traced[], meant: readonly Traced[], feeds: readonly string[]): void {
  const sources = new Set(told.filter(({ column }) => column === null).map((one) => one.source))
  const named = new Set(texts(told))
  for (const one of meant) assert.ok(named.has(textOf(one)) || sources.has(one.source), textOf(one))
  for (const one of told) {
    const isMeant = meant.some(({ source, column }) => source === one.source && one.column === column)
    assert.ok(one.column === null ? feeds.includes(one.source) : isMeant, textOf(one))
  }
}
