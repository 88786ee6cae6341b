import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Sighting } from '../sighting.ts'
import { type NaiveGraph, naiveGraph } from './testing/naive-graph.ts'
import type { RawEvent } from './testing/raw-event.ts'
import { simulate } from './testing/simulate.ts'
import { sightingBy } from './testing/told.ts'

const BUCKETS = { 's3://lake-raw': 'raw', 's3://lake-curated': 'curated' }

/** From sightings, where the naive model takes the events themselves. */
function graphOf(sightings: readonly Sighting[], atMs: number): NaiveGraph {
  const [edges, columns] = [new Set<string>(), new Set<string>()]
  const byJob = Map.groupBy(sightings, ({ job }) => job.reference)
  for (const [job, ofJob] of byJob) {
    const runs = [...Map.groupBy(ofJob, ({ run }) => run.id)].map(([id, ofRun]) => ({
      id,
      startMs: Math.min(...ofRun.map(({ run }) => run.timeMs)),
      wholeMs: Math.min(...ofRun.filter(({ run }) => run.isWhole).map(({ run }) => run.timeMs)),
      edges: new Set(
        ofRun.flatMap(({ inputs, outputs }) => [
          ...inputs.map(({ reference }) => `${reference} -> ${job}`),
          ...outputs.map(({ reference }) => `${job} -> ${reference}`)
        ])
      ),
      columns: new Set(
        ofRun.flatMap((one) =>
          one.columns.map(({ from, to, kind }) =>
            JSON.stringify([job, from.reference, from.column, to.reference, to.column, kind])
          )
        )
      )
    }))
    runs.sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1))
    for (const [what, into] of [
      ['edges', edges],
      ['columns', columns]
    ] as const) {
      for (const [index, run] of runs.entries()) {
        if (run.startMs > atMs) break
        const later = runs.slice(index + 1).filter((other) => other.wholeMs <= atMs && other.edges.size > 0)
        for (const name of run[what]) if (later.every((other) => other[what].has(name))) into.add(name)
      }
    }
  }
  return { edges, columns }
}

describe('simulated events', () => {
  it('are the same for the same seed, as many as asked for, and in the order of time', () => {
    const events = simulate(1, 500)
    assert.equal(events.length, 500)
    assert.deepEqual(simulate(1, 500), events)
    assert.notDeepEqual(simulate(2, 500), events)
    const times = events.map(({ eventTime }) => Date.parse(eventTime))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b)
    )
  })

  it('have what the producers of this world have', () => {
    const events = simulate(1, 1500)
    const states = new Set(events.map(({ eventType }) => eventType))
    for (const state of ['START', 'RUNNING', 'COMPLETE', 'FAIL', 'ABORT'] as const) assert.ok(states.has(state), state)
    const text = JSON.stringify(events)
    for (const part of ['"parent"', '"symlinks"', '"DROP"', '"sql"', '"dataset":[', 'transformationType', 's3a://']) {
      assert.ok(text.includes(part), part)
    }
    // A task that is tried again is another run of the same job.
    const runs = Map.groupBy(events, ({ job }) => job.name).get('orders_daily.extract') ?? []
    assert.ok(new Set(runs.map(({ run }) => run.runId)).size > 1)
  })

  it('are read as the naive model reads them', () => {
    const property = fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 120 }), fc.nat(), (seed, size, moment) => {
      const events = simulate(seed, size)
      const times = events.map(({ eventTime }) => Date.parse(eventTime))
      const atMs = times[moment % size] as number
      const sightings = events.map(sightingBy)
      for (const time of [atMs, atMs - 1, Number.POSITIVE_INFINITY]) {
        assert.deepEqual(graphOf(sightings, time), naiveGraph(events, time, BUCKETS))
      }
    })
    fc.assert(property, { numRuns: 60 })
  })
})

describe('the naive model', () => {
  const event = (
    eventType: RawEvent['eventType'],
    second: number,
    runId: string,
    reads: readonly string[],
    writes: readonly string[] = []
  ): RawEvent => ({
    eventType,
    eventTime: new Date(second * 1000).toISOString(),
    producer: 'https://example.org',
    schemaURL: 'https://example.org',
    run: { runId },
    job: { namespace: 'n', name: 'j' },
    inputs: reads.map((name) => ({ namespace: 'd', name })),
    outputs: writes.map((name) => ({ namespace: 'd', name }))
  })
  const at = (events: readonly RawEvent[], second: number) =>
    [...naiveGraph(events, second * 1000).edges]
      .map((edge) => edge.replaceAll('dataset://d/', '').replaceAll('job://n/', ''))
      .sort()

  const first = [event('START', 1, 'r1', ['a']), event('COMPLETE', 3, 'r1', ['b'], ['x'])]

  it('has what a run names from its start on, whenever it was said', () => {
    assert.deepEqual(at(first, 0), [])
    assert.deepEqual(at(first, 1), ['a -> j', 'b -> j', 'j -> x'])
    assert.deepEqual(at(first, 99), ['a -> j', 'b -> j', 'j -> x'])
  })

  it('ends what a later run has not named once that has completed', () => {
    const events = [...first, event('START', 5, 'r2', ['a', 'c']), event('COMPLETE', 7, 'r2', [], ['x'])]
    assert.deepEqual(at(events, 6), ['a -> j', 'b -> j', 'c -> j', 'j -> x'])
    assert.deepEqual(at(events, 7), ['a -> j', 'c -> j', 'j -> x'])
    assert.deepEqual(at(events.toReversed().concat(events), 7), ['a -> j', 'c -> j', 'j -> x'])
  })

  it('ends nothing with a run that failed or is still going, but has what it named', () => {
    for (const end of ['FAIL', 'ABORT', 'RUNNING', 'OTHER'] as const) {
      const events = [...first, event('START', 5, 'r2', ['c']), event(end, 7, 'r2', [])]
      assert.deepEqual(at(events, 8), ['a -> j', 'b -> j', 'c -> j', 'j -> x'])
    }
  })

  it('ends nothing of a run that started later, however long the earlier one takes', () => {
    const events = [event('START', 0, 'r0', ['z']), event('COMPLETE', 9, 'r0', []), ...first]
    assert.deepEqual(at(events, 10), ['a -> j', 'b -> j', 'j -> x'])
    assert.deepEqual(at(events, 2), ['a -> j', 'b -> j', 'j -> x', 'z -> j'])
  })

  it('ends nothing with a run that names nothing', () => {
    const events = [...first, event('START', 5, 'r2', []), event('COMPLETE', 7, 'r2', [])]
    assert.deepEqual(at(events, 8), ['a -> j', 'b -> j', 'j -> x'])
  })

  it('takes the greater identifier for the newer where two start together', () => {
    const events = [...first, event('COMPLETE', 1, 'r0', ['z']), event('COMPLETE', 1, 'r9', ['a'])]
    assert.deepEqual(at(events, 2), ['a -> j'])
    assert.deepEqual(at(events.slice(0, 3), 3), ['a -> j', 'b -> j', 'j -> x'])
  })

  it('has again what is named again', () => {
    const events = [...first, event('COMPLETE', 5, 'r2', [], ['x']), event('START', 8, 'r3', ['a'])]
    assert.deepEqual(at(events, 5), ['j -> x'])
    assert.deepEqual(at(events, 8), ['a -> j', 'j -> x'])
  })
})
