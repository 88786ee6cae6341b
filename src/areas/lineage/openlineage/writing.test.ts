import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { ColumnMapping, MappingKind, RunState, Sighting } from '../sighting.ts'
import { RUN_EVENT_SCHEMA } from './testing/event-schema.ts'
import { sightingBy } from './testing/told.ts'
import { eventOf, runUuid } from './writing.ts'

const manners = { producer: 'https://example.org/millrace/0.3.0', isFirst: false }
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(RUN_EVENT_SCHEMA)
const problems = (event: unknown): unknown => (validate(event) ? undefined : validate.errors)

function written(sighting: Sighting, isFirst = false) {
  const event = JSON.parse(JSON.stringify(eventOf(sighting, { ...manners, isFirst }) ?? assert.fail('no event')))
  assert.deepEqual(problems(event), undefined)
  return event
}

const plain: Sighting = {
  job: { reference: 'job://pipeline/pl_1', name: 'Orders' },
  run: { id: 'run_1', state: 'completed', timeMs: Date.UTC(2026, 10, 17), isWhole: true },
  inputs: [{ reference: 'object://raw/orders/*.csv' }, { reference: 'series://src_1' }],
  outputs: [{ reference: 'pipeline://pl_1', columns: [{ name: 'id', type: 'BIGINT' }, { name: 'email' }] }],
  columns: [
    column('object://raw/orders/*.csv', 'id', 'id', 'identity'),
    column('object://raw/orders/*.csv', 'email', 'email', 'masked'),
    column('object://raw/orders/*.csv', 'email', 'email', 'computed'),
    column('object://raw/orders/*.csv', 'day', null, 'filtered')
  ],
  provenance: { how: 'captured', who: 'pipelines' }
}

function column(reference: string, from: string | null, to: string | null, kind: MappingKind): ColumnMapping {
  return { from: { reference, column: from }, to: { reference: 'pipeline://pl_1', column: to }, kind }
}

describe('a sighting of ours for others', () => {
  it('is an event of the standard', () => {
    const event = written(plain)
    const facetSchema = (path: string) => `https://openlineage.io/spec/facets/${path}`
    assert.equal(event.eventType, 'COMPLETE')
    assert.equal(event.eventTime, '2026-11-17T00:00:00.000Z')
    assert.equal(event.schemaURL, 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent')
    assert.deepEqual(event.job, { namespace: 'millrace', name: 'pipeline/pl_1', facets: {} })
    assert.deepEqual(event.inputs, [
      { namespace: 'object://raw', name: 'orders/*.csv', facets: {} },
      { namespace: 'series://', name: 'src_1', facets: {} }
    ])
    const [output] = event.outputs
    assert.deepEqual([output.namespace, output.name], ['pipeline://', 'pl_1'])
    assert.deepEqual(output.facets.schema, {
      _producer: manners.producer,
      _schemaURL: facetSchema('1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet'),
      fields: [{ name: 'id', type: 'BIGINT' }, { name: 'email' }]
    })
    const source = (field: string, ...transformations: unknown[]) => ({
      namespace: 'object://raw',
      name: 'orders/*.csv',
      field,
      transformations
    })
    const how = (type: string, subtype: string, masking = false) => ({ type, subtype, description: '', masking })
    assert.deepEqual(output.facets.columnLineage, {
      _producer: manners.producer,
      _schemaURL: facetSchema('1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet'),
      fields: {
        id: { inputFields: [source('id', how('DIRECT', 'IDENTITY'))] },
        email: {
          inputFields: [source('email', how('DIRECT', 'TRANSFORMATION', true), how('DIRECT', 'TRANSFORMATION'))]
        }
      },
      dataset: [source('day', how('INDIRECT', 'FILTER'))]
    })
  })

  it('begins with a START', () => {
    const running = { ...plain, run: { ...plain.run, state: 'running' as const } }
    assert.equal(written(running, true).eventType, 'START')
    assert.equal(written(running).eventType, 'RUNNING')
    assert.equal(written(plain, true).eventType, 'COMPLETE')
  })

  it('has the same UUID for the same run, and its own for each job', () => {
    const uuid = runUuid('job://pipeline/pl_1', 'run_1')
    assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.equal(written(plain).run.runId, uuid)
    assert.notEqual(uuid, runUuid('job://pipeline/pl_2', 'run_1'))
    const given = 'd46e465b-d358-4d32-83d4-df660ff614dd'
    assert.equal(runUuid('job://a/b', given), given)
    const child = { ...plain, run: { ...plain.run, parent: { job: 'job://pipeline/pl_1', run: 'run_1' } } }
    assert.equal(written(child).run.facets.parent.run.runId, uuid)
  })

  it('leaves out what others could not name', () => {
    const odd = { reference: 'dataset://%zz/x' }
    const event = written({
      ...plain,
      inputs: [odd],
      outputs: [odd, { reference: 'pipeline://pl_1', aliases: ['nothing', 'dataset://db/t'] }],
      columns: [column('dataset://%zz/x', 'a', 'b', 'identity'), column('object://raw/a', null, 'b', 'identity')]
    })
    assert.deepEqual(event.inputs, [])
    assert.equal(event.outputs.length, 1)
    const { _producer, _schemaURL, ...symlinks } = event.outputs[0].facets.symlinks
    assert.deepEqual(symlinks, { identifiers: [{ namespace: 'db', name: 't', type: 'TABLE' }] })
    assert.equal(event.outputs[0].facets.columnLineage, undefined)
    assert.equal(eventOf({ ...plain, job: { reference: 'nothing' } }, manners), undefined)
  })

  it('is the same sighting when it is read again', () => {
    const word = fc.stringMatching(/^[\w ./%:é-]{1,8}$/)
    const reference = fc.oneof(
      fc.tuple(word, word).map(([namespace, name]) => `dataset://${encodeURIComponent(namespace)}/${name}`),
      word.map((key) => `object://raw/${key}`),
      fc.constantFrom('pipeline://pl_1', 'series://src_1', 'schema://sch_1', 'model://m/3')
    )
    const about = {
      owners: fc.uniqueArray(
        word.filter((text) => text.trim() !== ''),
        { maxLength: 2 }
      ),
      description: word.filter((text) => text.trim() !== '')
    }
    const columns = fc.uniqueArray(fc.record({ name: word, type: fc.constantFrom('INT', 'TEXT') }), {
      selector: ({ name }) => name
    })
    const data = fc
      .record(
        { reference, columns, ...about, aliases: fc.uniqueArray(reference, { minLength: 1, maxLength: 2 }) },
        { requiredKeys: ['reference'] }
      )
      .map((one) => ('aliases' in one && one.aliases?.includes(one.reference) ? { reference: one.reference } : one))
    const list = fc.uniqueArray(data, { selector: (one) => one.reference, minLength: 1, maxLength: 4 })
    const job = fc.record(
      { reference: fc.constantFrom('job://pipeline/pl_1', 'job://air%20flow/a/b'), ...about },
      { requiredKeys: ['reference'] }
    )
    const state = fc.constantFrom<RunState>('running', 'completed', 'failed', 'aborted', 'other')
    const random = fc.record({
      job,
      state,
      timeMs: fc.nat(2 ** 41),
      inputs: list,
      outputs: list,
      parent: fc.option(fc.constant({ job: 'job://x/y', run: '1ba6fdaa-fb80-36ce-9c5b-295f544ec462' })),
      mapped: fc.array(
        fc.tuple(fc.nat(), word, fc.nat(), word, fc.constantFrom<MappingKind>('identity', 'computed', 'masked')),
        { maxLength: 5 }
      ),
      rows: fc.array(
        fc.tuple(fc.nat(), word, fc.nat(), fc.constantFrom<MappingKind>('filtered', 'joined', 'grouped', 'sorted')),
        { maxLength: 3 }
      )
    })
    const property = fc.property(
      random,
      ({ job: seen, state: runState, timeMs, inputs, outputs, parent, mapped, rows }) => {
        const at = (datasets: readonly { reference: string }[], index: number) =>
          datasets[index % datasets.length]?.reference ?? ''
        const id = runUuid(seen.reference, 'r')
        const sighting: Sighting = {
          job: seen,
          run: { id, state: runState, timeMs, isWhole: runState === 'completed', ...(parent && { parent }) },
          inputs,
          outputs,
          columns: [
            ...mapped.map(([i, from, o, to, kind]) => ({
              from: { reference: at(inputs, i), column: from },
              to: { reference: at(outputs, o), column: to },
              kind
            })),
            ...rows.map(([i, from, o, kind]) => ({
              from: { reference: at(inputs, i), column: from },
              to: { reference: at(outputs, o), column: null },
              kind
            }))
          ],
          provenance: { how: 'openlineage', who: manners.producer }
        }
        const sorted = (one: Sighting) => ({
          ...structuredClone(one),
          columns: [...new Set(one.columns.map((mapping) => JSON.stringify(mapping)))].sort()
        })
        assert.deepEqual(sorted(sightingBy(written(sighting))), sorted(sighting))
      }
    )
    fc.assert(property, { numRuns: 300 })
  })
})
