import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import type { Area } from '../../area.ts'
import { AREAS } from '../../areas.ts'
import type { Entry } from '../../engines/drivers/declared/entry.ts'
import { secretPlaces } from '../../engines/drivers/declared/sign/index.ts'
import { SignSimulator } from '../../engines/drivers/declared/testing/sign-simulator.ts'
import type { Driver, JsonSchema, SourceFacts } from '../../engines/drivers/index.ts'
import { integration } from './area.ts'
import { integrationBody } from './body.ts'
import type { Integration, PreparedSource } from './service.ts'

const clock = new ManualClock('2026-01-01T08:00:00.000Z')
const service = new SignSimulator(clock)
/** What `/token` is to be asked with: a code, and what was hashed when it was asked for. */
let challenge = ''

const text = (secret: boolean) => ({
  type: 'string' as const,
  title: 'x',
  description: 'x',
  'x-group': 'sign-in' as const,
  maxLength: 5000,
  ...(secret && { writeOnly: true as const })
})

const entry = (origin: string): Entry => ({
  id: 'plant',
  name: 'Plant',
  category: 'engineering',
  documentation: 'https://plant.example',
  settings: {
    host: { default: origin },
    client_id: {},
    client_secret: { secret: true },
    refresh_token: { secret: true }
  },
  authentication: {
    kind: 'oauth2',
    grant: 'refresh_token',
    tokenUrl: '{host}/token',
    authorizeUrl: '{host}/authorize?access_type=offline',
    ...{ clientId: '{client_id}', clientSecret: '{client_secret}', refreshToken: '{refresh_token}', scopes: 'read' }
  },
  base: '{host}',
  streams: {}
})

/** A source as if somebody had declared it. */
function prepared(): PreparedSource {
  const told = entry(service.origin)
  const schema: JsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: 'Plant',
    required: ['client_id', 'client_secret', 'refresh_token'],
    additionalProperties: false,
    properties: { host: text(false), client_id: text(false), client_secret: text(true), refresh_token: text(true) }
  }
  const driver: Driver = {
    schemaFor: () => schema,
    placesOf: (config) => secretPlaces(told, config),
    open: () => assert.fail('nothing is opened')
  }
  const facts = { id: 'plant', name: 'Plant' } as SourceFacts
  return { facts, driver, schema, secretFields: ['client_secret', 'refresh_token'], entry: told, isOwn: false }
}

const withPlant: Area = {
  ...integration,
  load: async () => async (needs) => {
    const body = await integrationBody(needs)
    const known = body.service as Integration
    const others = known.prepare.bind(known)
    known.prepare = async (id) => (id === 'plant' ? prepared() : others(id))
    return body
  }
}

describe('authorizations', () => {
  let test: TestApp
  const config = { client_id: 'client', client_secret: 's3cret-client' }

  before(async () => {
    await service.start()
    service.rules = {
      rotates: true,
      judge: (_arrived, { grant_type, code, client_secret, code_verifier = '' }) => {
        if (client_secret !== 's3cret-client') return 'invalid_client'
        const isProven = createHash('sha256').update(code_verifier).digest('base64url') === challenge
        return grant_type === 'authorization_code' && code === 'code-1' && isProven ? undefined : 'invalid_grant'
      }
    }
    const areas = AREAS.map((area) => (area === integration ? withPlant : area))
    test = await startTestApp({ clock, areas, env: { ALLOWED_HOSTS: '127.0.0.1', PUBLIC_URL: 'https://data.example' } })
  })
  after(async () => {
    await test.close()
    service.stop()
  })

  const begin = (more: object = {}, as: 'editor' | 'viewer' | 'admin' = 'editor') =>
    test.call('POST', '/api/integration/authorizations', { as, body: { sourceId: 'plant', config, ...more } })

  /** What the browser of a person does at the service. */
  async function comeBack(authorizationUrl: string, answer: Record<string, string> = { code: 'code-1' }) {
    const asked = new URL(authorizationUrl).searchParams
    challenge = asked.get('code_challenge') ?? ''
    const query = new URLSearchParams({ ...answer, state: asked.get('state') ?? '', authuser: '0' })
    return test.call('GET', `/api/integration/authorizations/callback?${query}`)
  }

  const stateOf = async (id: string) =>
    (await test.call('GET', `/api/integration/authorizations/${id}`, { as: 'editor' })).body

  it('lead a person to the service and back, and a connector is made of what they permit', async () => {
    const { status, body } = await begin()
    assert.deepEqual([status, body.status, body.expiresAt], [201, 'waiting', '2026-01-01T08:10:00.000Z'])
    const url = new URL(body.authorizationUrl)
    assert.deepEqual(
      [url.origin, url.pathname, url.searchParams.get('access_type')],
      [service.origin, '/authorize', 'offline']
    )
    const { client_id, redirect_uri, response_type, scope, code_challenge_method } = Object.fromEntries(
      url.searchParams
    )
    assert.deepEqual(
      [client_id, redirect_uri, response_type, scope, code_challenge_method],
      ['client', 'https://data.example/api/integration/authorizations/callback', 'code', 'read', 'S256']
    )
    const page = await comeBack(body.authorizationUrl)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(page.text, /<h1>Permitted<\/h1>/)
    assert.equal((await stateOf(body.id)).status, 'permitted')
    assert.match((await comeBack(body.authorizationUrl)).text, /Nothing waits for this/)

    const sent = { name: 'plant', sourceId: 'plant', config: { client_id: 'client' }, authorizationId: body.id }
    const other = await test.call('POST', '/api/connectors', { as: 'admin', body: sent })
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/authorizationId'])
    const elsewhere = { ...sent, config: { client_id: 'client', host: 'https://elsewhere.example' } }
    const moved = await test.call('POST', '/api/connectors', { as: 'editor', body: elsewhere })
    assert.deepEqual([moved.status, moved.body.code], [400, 'secret_bound'])
    const made = await test.call('POST', '/api/connectors', { as: 'editor', body: sent })
    assert.deepEqual([made.status, made.body.config.refresh_token], [201, '********'])
    const opened = await (await test.app.service('connectors')).open(made.body.id)
    assert.deepEqual(opened.config, { ...config, refresh_token: service.refreshToken })
    const again = await test.call('POST', '/api/connectors', { as: 'editor', body: { ...sent, name: 'again' } })
    assert.deepEqual([again.status, again.body.errors[0].pointer], [400, '/authorizationId'])

    // The same connector is permitted anew, with the secret that it has.
    const renewed = await begin({ config: { client_id: 'client' }, connectorId: made.body.id })
    await comeBack(renewed.body.authorizationUrl)
    const changed = await test.call('PUT', `/api/connectors/${made.body.id}`, {
      as: 'editor',
      body: { authorizationId: renewed.body.id }
    })
    assert.deepEqual([changed.status, changed.body.status], [200, 'untested'])
    const audited = await test.call('GET', '/api/audit/logs?limit=100', { as: 'admin' })
    for (const secret of ['s3cret-client', 'refresh-', 'code-1']) {
      assert.ok(!`${audited.text}${test.logged.join('')}${page.text}`.includes(secret), secret)
    }
  })

  it('say what went wrong, and never what stands in an address', async () => {
    const denied = (await begin()).body
    const page = await comeBack(denied.authorizationUrl, { error: 'access_denied', error_description: '<script>1' })
    assert.ok(page.text.includes('Not permitted') && !page.text.includes('script'))
    assert.deepEqual(
      [(await stateOf(denied.id)).status, (await stateOf(denied.id)).message],
      ['failed', 'The service says that it was denied']
    )
    const wrongCode = (await begin()).body
    await comeBack(wrongCode.authorizationUrl, { code: 'code-2' })
    assert.match((await stateOf(wrongCode.id)).message, /expired or was taken back/)
    const wrongClient = (await begin({ config: { ...config, client_secret: 'x' } })).body
    await comeBack(wrongClient.authorizationUrl)
    assert.match((await stateOf(wrongClient.id)).message, /client/)
    service.instead = { status: 200, body: { access_token: 'a' } }
    const once = (await begin()).body
    await comeBack(once.authorizationUrl)
    assert.match((await stateOf(once.id)).message, /no refresh token/)
    service.instead = undefined
    const notPermitted = { name: 'none', sourceId: 'plant', config: { client_id: 'client' }, authorizationId: once.id }
    assert.equal((await test.call('POST', '/api/connectors', { as: 'editor', body: notPermitted })).status, 400)
    assert.match((await test.call('GET', '/api/integration/authorizations/callback')).text, /Nothing waits/)
  })

  it('wait ten minutes, and are seen by whoever began them alone', async () => {
    const { body } = await begin()
    assert.equal((await test.call('GET', `/api/integration/authorizations/${body.id}`, { as: 'admin' })).status, 404)
    clock.advance(10 * 60_000)
    assert.match((await comeBack(body.authorizationUrl)).text, /Nothing waits for this/)
    assert.equal((await test.call('GET', `/api/integration/authorizations/${body.id}`, { as: 'editor' })).status, 404)
  })

  it('are refused for sources that ask nobody, without what they need, and to who may not', async () => {
    const none = await begin({ sourceId: 'mariadb' })
    assert.deepEqual([none.status, none.body.errors[0].pointer], [400, '/sourceId'])
    const lacking = await begin({ config: { client_secret: 'x' } })
    assert.deepEqual([lacking.status, lacking.body.errors[0].pointer], [400, '/config/client_id'])
    assert.equal((await begin({ connectorId: 'cn_none' })).status, 404)
    assert.equal((await begin({}, 'viewer')).status, 403)
  })
})
