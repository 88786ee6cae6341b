// Once: what is proven is about nodes, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Counterparts, missingCounterpart, startCounterparts } from '../support/pipelines/counterparts.ts'
import { SINKS, type SinkUnderTest } from '../support/pipelines/matrix-sinks.ts'
import { BUCKET, SOURCES } from '../support/pipelines/matrix-sources.ts'
import { assertSamples } from '../support/pipelines/sample.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'

const COUNT = 200

describe('every source feeds every sink', { skip: missingCounterpart() ?? false }, () => {
  let site: Site
  let outside: Counterparts

  before(async () => {
    outside = await startCounterparts()
    site = await openSite({ PIPELINE_PROCESSES: '1' })
    await site.client.post('/buckets', { name: BUCKET })
  })
  after(async () => {
    await site?.close()
    await outside?.close()
  })

  it('and none is missing here', async () => {
    const types = await site.client.get('/pipelines/node-types')
    const named = (role: string) =>
      types.flatMap((one: { role: string; type: string }) => (one.role === role ? [one.type] : [])).sort()
    assert.deepEqual(Object.keys(SOURCES).sort(), named('source'))
    assert.deepEqual(Object.keys(SINKS).sort(), named('sink'))
  })

  for (const [name, makeSource] of Object.entries(SOURCES)) {
    it(`${name} → ${Object.keys(SINKS).join(', ')}`, async () => {
      const source = await makeSource({ site, outside, count: COUNT })
      const sinks = new Map<string, SinkUnderTest>()
      for (const [type, makeSink] of Object.entries(SINKS)) sinks.set(type, await makeSink({ site, outside, name }))
      try {
        const inputs = [source.nodes.at(-1)?.id]
        const outputs = [...sinks].map(([type, { config }]) => ({ id: `to-${type}`, type, config, inputs }))
        const id = await site.launch(name, [...source.nodes, ...outputs])
        const run = await runAll(id, source)
        const { deadLetters } = await site.client.get(`/pipelines/${id}/dead-letters?limit=1`)
        assert.deepEqual(deadLetters, [])
        assert.deepEqual(
          [run.balanced, run.ledger.recordsRead, run.ledger.recordsWritten],
          [true, COUNT, COUNT * sinks.size]
        )
        for (const [type, { arrived }] of sinks) assertSamples(await arrived(), COUNT, `${name} → ${type}`)
      } finally {
        source.close?.()
        for (const sink of sinks.values()) await sink.close?.()
      }
    })
  }

  /** Until all is written; those without an end are stopped then. */
  async function runAll(id: string, { isBounded, send }: Awaited<ReturnType<(typeof SOURCES)[string]>>) {
    if (isBounded) return (await site.reach(id, 'completed')).run
    await site.reach(id, 'running')
    await send?.(id)
    await eventually(async () => {
      const { run, error } = await site.client.get(`/pipelines/${id}`)
      assert.notEqual(run.status, 'failed', JSON.stringify(error))
      return run.ledger.recordsWritten + run.ledger.recordsDeadLettered === COUNT * Object.keys(SINKS).length
    }, 20_000)
    await site.stop(id)
    return (await site.client.get(`/pipelines/${id}`)).run
  }
})
