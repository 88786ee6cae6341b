import assert from 'node:assert/strict'
import type { Sighting } from '../../sighting.ts'
import type { Naming } from '../naming.ts'
import { sightingsOf } from '../reading.ts'
import type { Told } from '../told.ts'

/** Two buckets of the platform lie in S3. */
export const NAMING: Naming = {
  bucketOf: (store, remoteBucket) =>
    store === 's3'
      ? new Map([
          ['lake-raw', 'raw'],
          ['lake-curated', 'curated']
        ]).get(remoteBucket)
      : undefined
}

export function toldBy(event: unknown): Told {
  const told = sightingsOf(event, NAMING)
  return 'problem' in told ? assert.fail(told.problem.message) : told
}

export function sightingBy(event: unknown): Sighting {
  return toldBy(event).sightings[0] ?? assert.fail('The event tells of no job')
}

/** Where the event is wrong, and why. */
export function problemOf(event: unknown): string {
  const told = sightingsOf(event, NAMING)
  return 'problem' in told ? `${told.problem.pointer} ${told.problem.reason}` : assert.fail('The event is accepted')
}

/** `from.column kind to.column`, with `*` for rows or the whole of the data; references by their last part. */
export function shortColumns({ columns }: Pick<Sighting, 'columns'>): string[] {
  const short = ({ reference, column }: { reference: string; column: string | null }) =>
    `${reference.slice(reference.lastIndexOf('/') + 1)}.${column ?? '*'}`
  return columns.map(({ from, to, kind }) => `${short(from)} ${kind} ${short(to)}`)
}

const PRODUCER = 'https://example.org/producer/1.0'

export function runEvent(parts: object = {}): Record<string, unknown> {
  return {
    eventType: 'COMPLETE',
    eventTime: '2026-11-17T04:00:00Z',
    producer: PRODUCER,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: 'd46e465b-d358-4d32-83d4-df660ff614dd' },
    job: { namespace: 'workshop', name: 'taxes' },
    ...parts
  }
}

/** Without a run. */
export function designEvent(parts: object): Record<string, unknown> {
  const { eventType: _, run: __, job: ___, ...rest } = runEvent()
  return { ...rest, ...parts }
}

export const table = (name: string, facets: object = {}) => ({ namespace: 'db', name, facets })
export const facet = (parts: object) => ({
  _producer: PRODUCER,
  _schemaURL: 'https://example.org/facet.json',
  ...parts
})
