// Both: what is wrong with providers is written down, and asked of the database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { alertsOf, makeRule } from '../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { failingProviders, watchTroubles } from './troubles.ts'

const EMPTY = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'

const clock = new ManualClock('2026-03-01T12:00:00.000Z')
let app: TestApp
let port: number

before(async () => {
  app = await startTestApp({ clock, env: { ALLOWED_HOSTS: '127.0.0.1' } })
  port = await freePort()
})
after(() => app.close())

/** A store that holds nothing, at the port that providers are told of. */
async function openStore(): Promise<Server> {
  const store = createServer((_, response) => response.end(EMPTY)).listen(port, '127.0.0.1')
  await once(store, 'listening')
  return store
}

async function closeStore(store: Server): Promise<void> {
  store.closeAllConnections()
  await new Promise((resolve) => store.close(resolve))
}

async function makeProvider(name: string): Promise<string> {
  const credentials = { accessKey: 'a'.repeat(20), secretKey: 'b'.repeat(40) }
  const body = { name, type: 'store-local', endpoint: '127.0.0.1', port, useTls: false, credentials }
  const made = await app.call('POST', '/api/storage/providers', { as: 'admin', body })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

/** While a job runs the clock stands still, so that nothing takes too long on a busy machine. */
const isBusy = () => hasRows(app.platform.metadata.db.selectFrom('jobs').where('state', '=', 'running'))

const failing = async () => (await failingProviders(app.platform.metadata.db)).happenings

test('a store that is away fires an alert, and resolves it when it is back', async () => {
  const { id } = await makeRule(app, {
    name: 'stores',
    condition: { event: 'storage-provider.failing' },
    intervalSeconds: 10
  })
  const provider = await makeProvider('far')
  const store = await openStore()
  const made = await app.call('POST', '/api/buckets', { as: 'admin', body: { name: 'plant', providerId: provider } })
  assert.equal(made.status, 201, made.text)
  const becomes = (state: string) =>
    eventually(async () => {
      if (!(await isBusy())) clock.advance(5000)
      assert.equal((await alertsOf(app, id))[0]?.state, state)
    })
  await closeStore(store)
  await becomes('firing')
  const labels = { provider, providerName: 'far', reason: 'away' }
  assert.deepEqual((await alertsOf(app, id))[0].labels, labels)
  const back = await openStore()
  await becomes('resolved')
  assert.deepEqual(await failing(), [])
  await closeStore(back)
})

test('what is wrong keeps its time for as long as it is the same, and goes with its provider', async () => {
  const [one, other] = [await makeProvider('one'), await makeProvider('other')]
  const { metadata } = app.platform
  const none = { reachable: [], away: [], failing: [], refusing: [], full: [] }
  const look = async (found: object) => {
    clock.advance(1000)
    const job = { signal: new AbortController().signal, commit: metadata.transaction }
    await watchTroubles(clock, async () => ({ ...none, ...found }))(job as never)
    const rows = await metadata.db.selectFrom('storage_troubles').selectAll().orderBy('since').execute()
    return rows.filter(({ provider_id }) => [one, other].includes(provider_id))
  }
  const [first] = await look({ away: [one] })
  assert.deepEqual(first?.reason, 'away')
  assert.deepEqual((await look({ away: [one], full: [other] }))[0], first)
  const [, changed] = await look({ refusing: [one], full: [other] })
  assert.ok(changed !== undefined && changed.reason === 'refusing' && changed.since > (first?.since as string))
  assert.equal((await app.call('DELETE', `/api/storage/providers/${one}`, { as: 'admin' })).status, 204)
  assert.deepEqual(
    (await look({ refusing: [one], full: [other] })).map(({ provider_id }) => provider_id),
    [other]
  )
  assert.deepEqual(await look({ reachable: [other] }), [])
})
