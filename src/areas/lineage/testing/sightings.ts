import fc from 'fast-check'
import type { ColumnMapping, RunState, Sighting } from '../sighting.ts'

const DATA = ['object://lake/a.csv', 'series://plant', 'dataset://kafka%3A%2F%2Fhub/orders']
const JOBS = ['job://pipeline/pl_1', 'job://airflow/etl.load']

const data = fc.subarray(DATA).map((references) => references.map((reference) => ({ reference })))
const place = fc.record({ reference: fc.constantFrom(...DATA), column: fc.constantFrom('x', 'y', null) })
const mapping: fc.Arbitrary<ColumnMapping> = fc.record({
  from: place,
  to: place,
  kind: fc.constantFrom('identity', 'masked')
})
const run = fc
  .record({
    id: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5'),
    timeMs: fc.integer({ min: 1, max: 20 }),
    state: fc.constantFrom<RunState>('running', 'completed', 'failed')
  })
  .chain((one) => {
    const error =
      one.state === 'failed' ? fc.constantFrom('disk full', 'no such table', undefined) : fc.constant(undefined)
    const isWhole = one.state === 'completed'
    return error.map((said) => ({ ...one, isWhole, ...(said !== undefined && { error: said }) }))
  })

/** Few things, so that they meet often. */
export const anySighting: fc.Arbitrary<Sighting> = fc.record({
  job: fc.constantFrom(...JOBS).map((reference) => ({ reference })),
  run,
  inputs: data,
  outputs: data,
  columns: fc.array(mapping, { maxLength: 2 }),
  provenance: fc.constant({ how: 'openlineage', who: 'a test' } as const)
})

export { DATA, JOBS }
