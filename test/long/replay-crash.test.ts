import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { clientOf } from '../support/pipelines/client.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { createInstallation, startServer } from '../support/process.ts'
import { makeToken } from '../support/token.ts'

const COUNT = 20_000
const KILLS = 6
const LIMIT_MS = 60_000

test('dead letters are put through once each, however often those who do it are killed', async (t) => {
  const { env, drop } = await createInstallation()
  const token = await makeToken(env, 'crash')
  let server = await startServer(env)
  const client = () => clientOf(server.url, token)
  try {
    await client().post('/buckets', { name: 'replayed' })
    const nodes = (maximum: number) => [
      { id: 'in', type: 'generate', config: { count: COUNT, fields: { n: 'n' } } },
      { id: 'low', type: 'validate', config: { schema: { properties: { n: { maximum } } } }, inputs: ['in'] },
      { id: 'once', type: 'dedupe', config: { by: ['n'] }, inputs: ['low'] },
      { id: 'out', type: 'object', config: { bucket: 'replayed', prefix: '', format: 'ndjson' }, inputs: ['once'] }
    ]
    const { id } = await client().post('/pipelines', { name: 'replayed', nodes: nodes(-1) })
    await client().post(`/pipelines/${id}/start`)
    const isCompleted = async () => (await client().get(`/pipelines/${id}`)).status === 'completed'
    await eventually(isCompleted, LIMIT_MS)
    assert.equal((await client().get(`/pipelines/${id}/dead-letters/summary`)).waiting, COUNT)
    await client().put(`/pipelines/${id}`, JSON.stringify({ nodes: nodes(COUNT) }), 'application/json')

    const asked = client().post(`/pipelines/${id}/dead-letters/replay`)
    asked.catch(() => {}) // the server that was asked is killed
    const replays = async () => (await client().get(`/pipelines/${id}/runs?kind=replay`)).runs
    await eventually(async () => (await replays()).length === 1, LIMIT_MS)
    const done: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const [run] = await replays()
      if (run.endedAt !== null) break
      done.push(run.ledger.recordsRead)
      await delay(randomInt(0, 700)) // a random moment is what this is about
      if (kill % 2 === 0) {
        await server.stop('SIGKILL')
        server = await startServer(env)
      } else for (const pid of hostsOf(server.pid)) process.kill(pid, 'SIGKILL')
    }
    t.diagnostic(`killed with ${done.join(', ')} of ${COUNT} done`)
    const run = await eventually(async () => {
      const [found] = await replays()
      return found.endedAt !== null && found
    }, LIMIT_MS)
    assert.deepEqual([run.status, run.balanced, run.ledger.recordsRead], ['completed', true, COUNT])
    assert.deepEqual([run.ledger.recordsWritten, run.ledger.recordsFiltered], [COUNT, 0])
    assert.equal((await client().get(`/pipelines/${id}/dead-letters/summary`)).waiting, 0)
    const pipeline = await client().get(`/pipelines/${id}`)
    assert.deepEqual([pipeline.status, pipeline.run.number, pipeline.run.kind], ['completed', 1, 'normal'])
    const { objects } = await client().get('/buckets/replayed/objects?limit=1000')
    const texts: string[] = await Promise.all(
      objects.map(({ name }: { name: string }) =>
        client().text(`/buckets/replayed/objects/${encodeURIComponent(name)}`)
      )
    )
    const found = texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line).n)
    assert.deepEqual(
      found.sort((a, b) => a - b),
      [...Array(COUNT).keys()]
    )
  } finally {
    await server.stop('SIGKILL').catch(() => {})
    await drop()
  }
})
