import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { type EventReader, readEvents } from '../../../../test/support/event-reader.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { deleteOldLines } from '../upkeep/store.ts'

/** Long enough ago that nobody waits for lines that might come before them. */
const BEFORE_MS = 60_000

describe('the log of a pipeline', () => {
  let test: TestApp
  let sourceId: string
  let token: string
  let made = 0

  before(async () => {
    test = await startTestApp()
    token = await test.token('reader', 'viewer')
    sourceId = (await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 's' } })).body.id
  })
  after(() => test.close())

  async function makePipeline(): Promise<string> {
    const config = { source: sourceId, time: 't', tag: 'tag', value: 'v' }
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'series', config, inputs: ['in'] }
    ]
    const { status, body } = await test.call('POST', '/api/pipelines', {
      as: 'editor',
      body: { name: `p${made++}`, nodes }
    })
    assert.equal(status, 201)
    return body.id
  }

  async function say(pipelineId: string, count: number): Promise<string[]> {
    const { metadata, makeId, bus, clock } = test.platform
    const rows = Array.from({ length: count }, (_, i) => ({
      id: makeId('line'),
      pipeline_id: pipelineId,
      run_id: 'run_1',
      level: 'info' as const,
      node_id: null,
      message: `line ${i}`,
      created_at: new Date(clock.now() - BEFORE_MS).toISOString()
    }))
    if (rows.length > 0) await metadata.transaction((tx) => tx.insertInto('pipeline_logs').values(rows).execute())
    bus.publish({ type: 'pipeline-log.written', id: pipelineId })
    return rows.map(({ id }) => id)
  }

  const follow = (pipelineId: string, lastId?: string, query = ''): Promise<EventReader> =>
    readEvents(`${test.url}/api/pipelines/${pipelineId}/logs${query}`, {
      authorization: `Bearer ${token}`,
      ...(lastId !== undefined && { 'last-event-id': lastId })
    })

  it('is read without a line twice or missing, however often the reader comes back', async () => {
    const steps = fc.array(
      fc.record({ says: fc.integer({ min: 0, max: 40 }), takes: fc.integer({ min: 0, max: 30 }) }),
      { minLength: 1, maxLength: 6 }
    )
    await fc.assert(
      fc.asyncProperty(steps, async (visits) => {
        const id = await makePipeline()
        const said: string[] = await say(id, 1)
        const seen: string[] = [said[0] as string]
        for (const { says, takes } of visits) {
          const reader = await follow(id, seen.at(-1))
          const writing = say(id, says)
          const available = said.length + says - seen.length
          for (let i = 0; i < Math.min(takes, available); i++) seen.push(await idOfNext(reader))
          reader.leave()
          said.push(...(await writing))
        }
        const last = await follow(id, seen.at(-1))
        while (seen.length < said.length) seen.push(await idOfNext(last))
        last.leave()
        assert.deepEqual(seen, said)
      }),
      { numRuns: 8 }
    )
  })

  it('tells a reader that comes back too late that lines are gone, and goes on with those that are left', async () => {
    const id = await makePipeline()
    const said = await say(id, 30)
    await test.platform.metadata.transaction((tx) => deleteOldLines(tx, id, 10))
    const reader = await follow(id, said[5])
    assert.deepEqual(await reader.next(), { id: undefined, event: 'skipped', data: { count: null } })
    for (const expected of said.slice(20)) assert.equal(await idOfNext(reader), expected)
    reader.leave()
    const inTime = await follow(id, undefined, `?after=${said[20]}`)
    assert.equal(await idOfNext(inTime), said[21])
    inTime.leave()
  })

  it('shows a new reader the last hundred lines, and then what comes', async () => {
    const id = await makePipeline()
    const said = await say(id, 150)
    const reader = await follow(id)
    for (const expected of said.slice(50)) assert.equal(await idOfNext(reader), expected)
    const [next] = await say(id, 1)
    const event = await reader.next()
    assert.deepEqual([event?.id, event?.event, event?.data.message], [next, 'log', 'line 0'])
    assert.deepEqual(Object.keys(event?.data).sort(), ['id', 'level', 'message', 'nodeId', 'runId', 'time'])
    reader.leave()
  })

  it('is read to the end though it has many pages', async () => {
    const id = await makePipeline()
    const said = [...(await say(id, 400)), ...(await say(id, 250))]
    const reader = await follow(id, said[0])
    for (const expected of said.slice(1)) assert.equal(await idOfNext(reader), expected)
    reader.leave()
  })

  it('ends when the pipeline is deleted', async () => {
    const id = await makePipeline()
    await say(id, 1)
    const reader = await follow(id)
    await idOfNext(reader)
    assert.equal((await test.call('DELETE', `/api/pipelines/${id}`, { as: 'editor' })).status, 204)
    assert.equal(await reader.next(), undefined)
  })

  it('is a list, the newest first, for those who ask for JSON', async () => {
    const id = await makePipeline()
    const said = await say(id, 5)
    const headers = { accept: 'application/json' }
    const { body } = await test.call('GET', `/api/pipelines/${id}/logs?limit=2`, { as: 'viewer', headers })
    assert.deepEqual([body.logs.map((line: { id: string }) => line.id), body.total], [[said[4], said[3]], 5])
    const next = await test.call('GET', `/api/pipelines/${id}/logs?limit=2&cursor=${body.nextCursor}`, {
      as: 'viewer',
      headers
    })
    assert.deepEqual(
      next.body.logs.map((line: { id: string }) => line.id),
      [said[2], said[1]]
    )
  })

  it('refuses what can not be an id of a line, and answers HEAD at once', async () => {
    const id = await makePipeline()
    const bad = await test.call('GET', `/api/pipelines/${id}/logs`, { as: 'viewer', headers: { 'last-event-id': 'x' } })
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '/headers/last-event-id'])
    assert.equal((await test.call('GET', `/api/pipelines/${id}/logs?after=x`, { as: 'viewer' })).status, 400)
    assert.equal((await test.call('HEAD', `/api/pipelines/${id}/logs`, { as: 'viewer' })).status, 200)
    assert.equal((await test.call('GET', '/api/pipelines/pl_none/logs', { as: 'viewer' })).status, 404)
  })

  it('has no more than fifty readers of one user at once', async () => {
    const id = await makePipeline()
    await say(id, 1)
    const readers = await Promise.all(Array.from({ length: 50 }, () => follow(id)))
    for (const reader of readers) await reader.next()
    assert.equal((await follow(id)).status, 429)
    for (const reader of readers) reader.leave()
    await eventually(async () => {
      const reader = await follow(id)
      reader.leave()
      return reader.status === 200
    })
  })
})

async function idOfNext(reader: EventReader): Promise<string> {
  const event = await reader.next()
  assert.equal(event?.event, 'log')
  return event.id as string
}
