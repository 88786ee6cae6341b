// Once: states of the process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../areas.ts'
import { openPlatform } from '../../platform.ts'

async function withApp(work: (test: TestApp, clock: ManualClock) => Promise<void>, env: Record<string, string> = {}) {
  const clock = new ManualClock()
  const test = await startTestApp({ clock, env })
  try {
    await work(test, clock)
  } finally {
    // Background work that has lost its database gives up after some time; the manual clock has to be moved for that.
    const passing = setInterval(() => clock.advance(1000), 1)
    await test.close()
    clearInterval(passing)
  }
}

describe('GET /api/health', () => {
  it('tells status, version, uptime and each check, to anyone', async () => {
    await withApp(async (test, clock) => {
      clock.advance(12_500)
      const { status, body, headers } = await test.call('GET', '/api/health')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.ok(headers.get('x-request-id'))
      assert.deepEqual([body.status, body.version, body.uptime], ['ok', '0.3.0', 12.5])
      assert.deepEqual(Object.keys(body.checks).sort(), [
        'alerts',
        'classification',
        'connectors',
        'disk',
        'identity',
        'jobs',
        'lineage',
        'metadata',
        'objects',
        'pipelines',
        'quality',
        'scheduler',
        'series',
        'storage'
      ])
      for (const check of Object.values<{ status: string; ms: number }>(body.checks)) {
        assert.equal(check.status, 'ok')
        assert.ok(check.ms >= 0)
      }
      assert.equal((await test.call('GET', '/api/health', { as: { token: 'bad' } })).status, 200)
      assert.deepEqual((await test.call('GET', '/api/health/live')).body, { status: 'ok' })
      assert.deepEqual((await test.call('GET', '/api/health/ready')).body, { status: 'ok' })
    })
  })

  it('takes any query, such as what gets a probe past a cache', async () => {
    await withApp(async (test) => {
      for (const path of ['', '/live', '/ready']) {
        for (const query of ['x=1', `_=${Date.now()}&_=2`, '__proto__=1&a[b]=%25', '&&=']) {
          assert.equal((await test.call('GET', `/api/health${path}?${query}`)).status, 200, `${path}?${query}`)
        }
      }
    })
  })

  it('counts the time that has passed, whatever becomes of the clock', async () => {
    await withApp(async (test, clock) => {
      clock.advance(12_500)
      clock.correct(-7_200_000)
      const { body } = await test.call('GET', '/api/health')
      assert.equal(body.uptime, 12.5)
      await test.platform.metadata.close()
      clock.advance(1000)
      assert.equal((await test.call('GET', '/api/health')).body.status, 'down', 'what was found before is not kept')
    })
  })

  it('is down, and not ready but alive, when the database is gone', async () => {
    await withApp(async (test, clock) => {
      assert.equal((await test.call('GET', '/api/health')).body.status, 'ok')
      await test.platform.metadata.close()
      clock.advance(1000)
      const { status, body, text } = await test.call('GET', '/api/health')
      assert.deepEqual([status, body.status, body.version], [503, 'down', '0.3.0'])
      assert.deepEqual([body.checks.metadata.status, body.checks.identity.status], ['down', 'ok'])
      assert.equal(body.checks.metadata.message, 'metadata does not work as it should')
      for (const name of ['jobs', 'pipelines']) {
        assert.equal(
          body.checks[name].message,
          `${name} could not be looked at: the database does not answer (see metadata)`
        )
      }
      assert.ok(!text.includes(test.database.folder), 'nothing about where it runs')
      const ready = await test.call('GET', '/api/health/ready')
      assert.deepEqual([ready.status, ready.body], [503, { status: 'down' }])
      assert.equal((await test.call('GET', '/api/health/live')).status, 200)

      const refused = await test.call('GET', '/api/users/me', { as: 'viewer' })
      assert.deepEqual([refused.status, refused.body.code], [503, 'dependency_unavailable'])
      assert.ok(refused.headers.get('retry-after'))
    })
  })

  it('says that the disk is full as long as nothing can be written', async () => {
    await withApp(async (test, clock) => {
      const { metadata } = test.platform
      await metadata.transaction(async (tx) => {
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx)
        await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count)}`.execute(tx)
      })
      let last = 201
      for (let tries = 0; last === 201; tries++) {
        const body = { name: `source ${tries}`, description: 'x'.repeat(900) }
        last = (await test.call('POST', '/api/catalog/sources', { as: 'admin', body })).status
      }
      assert.equal(last, 507)
      clock.advance(1000)
      const health = await test.call('GET', '/api/health')
      assert.deepEqual([health.status, health.body.checks.metadata.status], [503, 'down'])
      assert.equal(health.body.checks.metadata.message, 'The disk of the database is full: make room')
    })
  })

  it('is degraded, and still ready, when the identity provider can’t be reached', async () => {
    const env = { OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`, OIDC_AUDIENCE: 'urn:millrace' }
    await withApp(async (test) => {
      const { status, body, text } = await test.call('GET', '/api/health')
      assert.deepEqual([status, body.status, body.checks.identity.status], [200, 'degraded', 'degraded'])
      assert.ok(!text.includes('127.0.0.1'), 'nothing about where the provider is')
      assert.equal((await test.call('GET', '/api/health/ready')).status, 200)
    }, env)
  })

  it('looks again when a second has passed, and not before', async () => {
    await withApp(async (test, clock) => {
      await test.call('GET', '/api/health')
      await test.platform.metadata.close()
      clock.advance(999)
      assert.equal((await test.call('GET', '/api/health')).body.status, 'ok')
      clock.advance(1)
      assert.equal((await test.call('GET', '/api/health')).body.status, 'down')
    })
  })
})

describe('GET /api/health/ready', () => {
  it('says no before the start and once the server is stopping, while live says yes', async () => {
    const database = await createTestDatabase()
    const databaseUrl = database.databaseUrl && { DATABASE_URL: database.databaseUrl }
    const config = readConfig({ DATA_DIR: database.folder, LOG_LEVEL: 'silent', ...databaseUrl })
    const platform = await openPlatform(config)
    const app = buildApp(platform)
    const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const agent = new Agent({ keepAlive: true })
    const statusOf = async (path: string) => {
      const [answer] = await once(get(`${url}/api/health/${path}`, { agent }), 'response')
      await answer.toArray()
      return answer.statusCode
    }
    const statuses = () => Promise.all(['live', 'ready'].map(statusOf))
    try {
      assert.deepEqual(await statuses(), [200, 503])
      await app.start()
      assert.deepEqual(await statuses(), [200, 200])
      const stopping = app.stop()
      assert.deepEqual(await statuses(), [200, 503])
      await stopping
    } finally {
      agent.destroy()
      await platform.close()
      await database.drop()
    }
  })
})
