import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/support/app.ts'

describe('pages of the sites that a share names', () => {
  const origin = 'https://intranet.example'
  let test: TestApp
  let token: string
  before(async () => {
    test = await startTestApp()
    const { body } = await test.call('POST', '/api/dashboards', { as: 'editor', body: { name: 'Hall' } })
    const share = { origins: [origin], password: 'mill and race' }
    token = (await test.call('POST', `/api/dashboards/${body.id}/share`, { as: 'editor', body: share })).body.token
  })
  after(() => test.close())

  const at = (link: string, below: string) => `/api/dashboards/shared/${link}${below}`

  it('get an answer to what browsers ask before they may read, and others get none', async () => {
    const ask = (below: string, method: string, from = origin, sent = 'OPTIONS', link = token) =>
      test.call(sent, at(link, below), {
        headers: {
          ...{ origin: from, 'access-control-request-method': method },
          'access-control-request-headers': 'content-type'
        }
      })
    const told = ({ status, headers }: Answer) => [
      status,
      ...['origin', 'methods', 'headers'].map((name) => headers.get(`access-control-allow-${name}`))
    ]
    for (const [below, method] of [
      ['/dashboard', 'GET'],
      ['/data', 'POST'],
      ['/unlock', 'POST'],
      ['/image', 'GET']
    ] as const) {
      const allowed = await ask(`${below}?access=x`, method)
      assert.deepEqual(told(allowed), [204, origin, method, 'content-type'], below)
      assert.deepEqual(
        ['vary', 'access-control-max-age', 'access-control-allow-credentials'].map((name) => allowed.headers.get(name)),
        ['origin', '600', null]
      )
      const refused = [405, null, null, null]
      assert.deepEqual(told(await ask(below, method, 'https://evil.example')), refused)
      assert.deepEqual(told(await ask(below, method, 'null')), refused)
      assert.deepEqual(told(await ask(below, 'DELETE')), refused)
      assert.deepEqual(told(await ask(below, method, origin, 'DELETE')), refused)
      assert.deepEqual(told(await ask(below, method, origin, 'OPTIONS', 'A'.repeat(43))), refused)
    }
    assert.deepEqual(told(await ask('/page', 'GET')), [405, null, null, null])
  })

  it('read what is answered, and why something is refused', async () => {
    const send = (below: string, body: object) => test.call('POST', at(token, below), { body, headers: { origin } })
    const readable = ({ status, headers }: Answer) => [status, headers.get('access-control-allow-origin')]
    assert.deepEqual(readable(await send('/data', {})), [401, origin])
    const unlocked = await send('/unlock', { password: 'mill and race' })
    assert.deepEqual(readable(unlocked), [200, origin])
    assert.deepEqual(readable(await send(`/data?access=${unlocked.body.access}`, {})), [200, origin])
    const image = await test.call('GET', at(token, `/image?access=${unlocked.body.access}`), { headers: { origin } })
    assert.deepEqual([...readable(image), image.headers.get('vary')], [200, origin, 'origin'])
  })
})
