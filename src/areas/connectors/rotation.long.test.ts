// Once: what a service gives in place of a secret is kept with a connector, whichever process has got it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { systemClock } from '../../engines/clock.ts'
import { SignSimulator } from '../../engines/drivers/declared/testing/sign-simulator.ts'

const service = new SignSimulator(systemClock)

/** A service whose refresh tokens are good for one use each. */
const entry = (origin: string) => ({
  id: 'turnstile',
  name: 'Turnstile',
  category: 'security',
  documentation: 'https://turnstile.example/docs',
  settings: { client_id: {}, client_secret: { secret: true }, refresh_token: { secret: true } },
  authentication: {
    kind: 'oauth2',
    grant: 'refresh_token',
    tokenUrl: `${origin}/token`,
    ...{ clientId: '{client_id}', clientSecret: '{client_secret}', refreshToken: '{refresh_token}' }
  },
  base: origin,
  check: 'things',
  streams: { things: { path: '/data', records: 'records', key: 'id' } }
})

describe('refresh tokens of connectors', () => {
  let test: TestApp
  let connectorId: string
  before(async () => {
    service.rules = { rotates: true, judge: () => undefined }
    const origin = await service.start()
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    await call('POST', '/integration/sources', entry(origin))
    const config = { client_id: 'plant', client_secret: 's3cret-client', refresh_token: 'refresh-0' }
    connectorId = (await call('POST', '/connectors', { name: 'turnstile', sourceId: 'turnstile', config })).id
  })
  after(async () => {
    await test.close()
    service.stop()
  })

  const call = async (method: string, path: string, body?: object) => {
    const answer = await test.call(method, `/api${path}`, { as: 'editor', ...(body && { body }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const tokensTold = () => service.arrived.filter(({ target }) => target === '/token').length
  /** Has all who hold a token ask for another. */
  const end = () => service.revoke()

  it('are kept by tests, discovery, reads, SQL and pipelines, each of which goes on with the last one', async () => {
    const tested = await call('POST', `/connectors/${connectorId}/test`)
    assert.ok(tested.success, tested.message)
    assert.equal((await call('GET', `/connectors/${connectorId}`)).status, 'healthy')
    end()
    assert.equal((await call('POST', `/connectors/${connectorId}/discover`)).total, 1)
    end()
    const sample = await call('POST', `/connectors/${connectorId}/read`, { stream: 'things' })
    assert.deepEqual(sample.records[0].id, 1)
    assert.equal(tokensTold(), 3)

    const dataset = `connector://${connectorId}/things`
    const rule = { name: 'there', dataset, type: 'notNull', config: { column: 'id' } }
    const { id: ruleId } = await call('POST', '/quality/rules', rule)
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await call('POST', `/quality/rules/${ruleId}/evaluate`)).status, 'passed')
    }
    await call('POST', '/buckets', { name: 'copies' })
    const nodes = [
      { id: 'in', type: 'stream', config: { connectorId, stream: 'things' } },
      { id: 'out', type: 'object', config: { bucket: 'copies', prefix: 'a/', format: 'parquet' }, inputs: ['in'] }
    ]
    const { id } = await call('POST', '/pipelines', { name: 'copy', nodes })
    await call('POST', `/pipelines/${id}/start`)
    await eventually(async () => {
      const pipeline = await call('GET', `/pipelines/${id}`)
      assert.equal(pipeline.status, 'completed', JSON.stringify(pipeline.error))
    }, 60_000)
    end()
    assert.ok((await call('POST', `/connectors/${connectorId}/test`)).success)
    assert.ok(tokensTold() >= 7)
  })

  it('change nothing that people see: no version, no audit row, no secret anywhere', async () => {
    const connector = await call('GET', `/connectors/${connectorId}`)
    assert.deepEqual([connector.version, connector.config.refresh_token], [1, '********'])
    const audited = await test.call('GET', '/api/audit/logs?limit=500', { as: 'admin' })
    assert.ok(!/refresh-\d|token-\d|s3cret/.test(audited.text))
    assert.ok(!audited.body.logs.some(({ action }: { action: string }) => action === 'connector.update'))
    assert.ok(!/refresh-\d|s3cret/.test(test.logged.join()))
  })

  it('stay where somebody changes something else of the connector', async () => {
    await call('PUT', `/connectors/${connectorId}`, {
      name: 'turned',
      config: { client_id: 'plant', client_secret: '********' }
    })
    end()
    assert.ok((await call('POST', `/connectors/${connectorId}/test`)).success)
  })
})
