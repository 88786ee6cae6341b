import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

const HOUR_MS = 3_600_000

describe('a share of a dashboard', () => {
  let test: TestApp
  const clock = new ManualClock()
  let id: string

  before(async () => {
    test = await startTestApp({ clock })
    await must(test.call('POST', '/api/buckets', { as: await as('editor'), body: { name: 'orders' } }), 201)
    const csv = { 'content-type': 'text/csv' }
    const path = '/api/buckets/orders/objects/orders.csv'
    await must(
      test.call('PUT', path, { as: await as('editor'), body: 'line,pieces\n1,40\n2,25\n1,2\n', headers: csv }),
      201
    )
    const made = await must(
      test.call('POST', '/api/dashboards', {
        as: await as('editor'),
        body: {
          name: 'Hall',
          variables: [{ name: 'line', type: 'list', values: [{ value: '1' }, { value: '2' }] }],
          panels: [
            panel('pieces', 'SELECT sum(pieces)::INTEGER AS pieces FROM input WHERE line::VARCHAR = $line'),
            panel('rows')
          ]
        }
      }),
      201
    )
    id = made.body.id
  })
  after(() => test.close())

  /** With a token of now: the clock is moved on by more than tokens last. */
  const as = async (role: 'viewer' | 'editor' | 'admin') => ({ token: await test.token(role, role) })

  const panel = (name: string, sql?: string) => ({
    id: name,
    title: name,
    type: 'table',
    query: { reference: 'object://orders/orders.csv', ...(sql !== undefined && { sql }) },
    position: { x: 0, y: 0, w: 12, h: 8 }
  })

  async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
    const came = await answer
    assert.equal(came.status, status, came.text)
    return came
  }

  const share = async (body: object = {}, maker?: { token: string }) =>
    (await must(test.call('POST', `/api/dashboards/${id}/share`, { as: maker ?? (await as('editor')), body }), 201))
      .body
  const at = (token: string, below = '') => `/api/dashboards/shared/${token}${below}`
  const data = (token: string, body: object = {}, access = '') =>
    test.call('POST', at(token, `/data${access === '' ? '' : `?access=${access}`}`), { body })
  const values = ({ body }: Answer) =>
    body.panels.map((each: { frames: { values: unknown }[] }) => each.frames[0]?.values)

  it('shows the dashboard and its data, and nothing of where they lie', async () => {
    const { token, url } = await share()
    assert.ok(url.endsWith(`/api/dashboards/shared/${token}/page`))
    const shown = await must(test.call('GET', at(token, '/dashboard')), 200)
    assert.ok(!shown.text.includes('orders') && !shown.text.includes('SELECT'), shown.text)
    assert.deepEqual(values(await data(token, { variables: { line: '2' }, panels: ['pieces'] })), [[[25]]])
    const page = await must(test.call('GET', at(token, '/page')), 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    assert.match(page.text, /<svg /)
    const png = await test.call('GET', at(token, '/image?format=png'))
    assert.deepEqual([png.status, png.headers.get('content-type')], [200, 'image/png'])
  })

  it('is counted, with when it was opened and from where', async () => {
    const made = await share({ name: 'counted' })
    for (let round = 0; round < 25; round++) await must(test.call('GET', at(made.token, '/dashboard')), 200)
    const { body } = await test.call('GET', `/api/dashboards/${id}/shares/${made.id}`, { as: await as('editor') })
    assert.equal(body.views, 25)
    assert.equal(body.lastViews.length, 20)
    assert.deepEqual(new Set(body.lastViews.map(({ from }: { from: string }) => from)), new Set(['this machine']))
    assert.ok(!JSON.stringify(body).includes(made.token))
  })

  it('lets viewers choose only what it does not fix', async () => {
    const { token } = await share({ variables: { line: '1' }, maxRows: 1 })
    assert.deepEqual(values(await data(token, { panels: ['pieces'] })), [[[42]]])
    assert.equal((await data(token, { variables: { line: '1' } })).status, 200)
    assert.equal((await data(token, { variables: { line: '2' } })).body.code, 'share_variable_fixed')
    assert.equal((await data(token, { from: '-1h' })).body.code, 'share_variable_fixed')
    const rows = await data(token, { panels: ['rows'] })
    assert.equal(rows.body.panels[0].frames[0].values[0].length, 1)
    assert.equal(rows.body.panels[0].truncated, true)
    const free = await share({ chooseTime: true })
    assert.equal((await data(free.token, { from: '-1h' })).status, 200)
  })

  it('ends when it says, when it is revoked, and with its maker', async () => {
    const brief = await share({ expiresAt: new Date(clock.now() + HOUR_MS).toISOString() })
    const revoked = await share()
    assert.equal((await data(brief.token)).status, 200)
    clock.advance(HOUR_MS)
    assert.equal((await data(brief.token)).body.code, 'share_expired')
    await must(test.call('DELETE', `/api/dashboards/${id}/shares/${revoked.id}`, { as: await as('editor') }), 204)
    assert.equal((await data(revoked.token)).body.code, 'share_revoked')
    assert.equal((await data('A'.repeat(43))).body.code, 'share_not_found')

    const maker = { token: await test.token('maker', 'editor') }
    const { user } = (await test.call('GET', '/api/users/me', { as: maker })).body
    const theirs = await share({}, maker)
    assert.equal((await data(theirs.token)).status, 200)
    const disable = async (disabled: boolean) =>
      must(test.call('PUT', `/api/users/${user.id}`, { as: await as('admin'), body: { disabled } }), 200)
    await disable(true)
    assert.equal((await data(theirs.token)).body.code, 'share_maker_gone')
    await disable(false)
    assert.equal((await data(theirs.token)).status, 200)
    const access = async (everyone: string) =>
      must(test.call('PUT', `/api/dashboards/${id}/access`, { as: await as('editor'), body: { everyone } }), 200)
    await access('none')
    assert.equal((await data(theirs.token)).body.code, 'share_maker_gone')
    await access('edit')
  })

  it('takes its password, and locks after ten wrong ones', async () => {
    const { token } = await share({ password: 'mill and race' })
    const unlock = (password: string) => test.call('POST', at(token, '/unlock'), { body: { password } })
    assert.equal((await data(token)).body.code, 'share_password_needed')
    assert.equal((await test.call('GET', at(token, '/dashboard'))).body.code, 'share_password_needed')
    const { access } = (await must(unlock('mill and race'), 200)).body
    assert.equal((await data(token, {}, access)).status, 200)
    assert.equal((await data(token, {}, `${access.slice(0, -1)}x`)).body.code, 'share_password_needed')
    const other = await share({ password: 'mill and race' })
    assert.equal((await data(other.token, {}, access)).body.code, 'share_password_needed')
    for (let round = 0; round < 10; round++)
      assert.equal((await unlock(`no ${round}`)).body.code, 'share_password_wrong')
    const locked = await unlock('mill and race')
    assert.deepEqual([locked.body.code, locked.headers.get('retry-after')], ['share_locked', '900'])
    assert.equal((await data(token)).body.code, 'share_locked')
    assert.equal((await data(token, {}, access)).status, 200, 'whoever has unlocked it already goes on')
    clock.advance(15 * 60_000)
    const again = (await must(unlock('mill and race'), 200)).body.access
    clock.advance(HOUR_MS)
    assert.equal((await data(token, {}, again)).body.code, 'share_password_needed')
  })

  it('has a page to type its password into, which tells nothing and runs nothing', async () => {
    const title = '<script>alert(1)</script> & "quoted"'
    const path = `/api/dashboards/${id}`
    await must(test.call('PUT', path, { as: await as('editor'), body: { name: title } }), 200)
    const { token } = await share({ password: 'mill and race', origins: ['https://intranet.example'] })
    const send = (password: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${test.url}${at(token, '/page')}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': type },
        body: new URLSearchParams({ password }).toString()
      })
    const asked = await test.call('GET', at(token, '/page'))
    assert.deepEqual([asked.status, asked.headers.get('content-type')], [401, 'text/html; charset=utf-8'])
    assert.match(asked.text, /<form method="post" action="page">/)
    assert.ok(!/script|alert\(|quoted/.test(asked.text), asked.text)
    assert.equal(
      asked.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors https://intranet.example"
    )
    const wrong = await send('no')
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /The password is wrong\./)
    assert.equal((await send('x'.repeat(201))).status, 401)
    assert.equal((await send('x'.repeat(5000))).status, 413)
    assert.equal((await send('mill and race', 'text/plain')).status, 415)
    const right = await send('mill and race')
    const location = right.headers.get('location') ?? ''
    assert.equal(right.status, 303)
    assert.match(location, /^page\?access=[\w.%-]+$/)
    const shown = await must(test.call('GET', at(token, `/${location}`)), 200)
    assert.match(shown.text, /<svg /)
    assert.match(shown.text, /<title>&#60;script&#62;alert\(1\)&#60;\/script&#62; &#38; &#34;quoted&#34;<\/title>/)
    assert.ok(!shown.text.includes('<script'))
    for (let round = 0; round < 10; round++) assert.equal((await send(`no ${round}`)).status, 401)
    const locked = await send('mill and race')
    assert.deepEqual([locked.status, locked.headers.get('retry-after')], [429, '900'])
    assert.match(await locked.text(), /Too many wrong passwords\./)
    assert.equal((await test.call('GET', at(token, '/page'))).status, 429)
    assert.equal((await test.call('GET', at(token, `/${location}`))).status, 200)
    const { body } = await test.call('GET', '/api/audit/logs?action=sign-in&limit=1000', { as: await as('admin') })
    assert.ok(body.logs.some(({ code }: { code: string }) => code === 'share_password_wrong'))
    clock.advance(HOUR_MS)
    assert.match((await test.call('GET', at(token, `/${location}`))).text, /<form /)
    assert.equal((await test.call('GET', at('A'.repeat(43), '/page'))).body.code, 'share_not_found')
    await must(test.call('PUT', path, { as: await as('editor'), body: { name: 'Hall' } }), 200)
  })

  it('is asked only so often', async () => {
    const { token } = await share({ requestsPerMinute: 3 })
    for (let round = 0; round < 3; round++) await must(test.call('GET', at(token, '/dashboard')), 200)
    const busy = await test.call('GET', at(token, '/dashboard'))
    assert.deepEqual([busy.status, busy.body.code], [429, 'share_busy'])
  })

  it('is read and framed by the sites that it names only', async () => {
    const { token } = await share({ origins: ['https://intranet.example'] })
    const from = async (origin: string) =>
      (await test.call('GET', at(token, '/dashboard'), { headers: { origin } })).headers.get(
        'access-control-allow-origin'
      )
    assert.equal(await from('https://intranet.example'), 'https://intranet.example')
    assert.equal(await from('https://evil.example'), null)
    const page = await test.call('GET', at(token, '/page'))
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/intranet\.example$/)
  })

  it('shows a snapshot as it was', async () => {
    const path = `/api/dashboards/${id}/snapshots`
    const snapshot = await must(
      test.call('POST', path, { as: await as('editor'), body: { variables: { line: '2' } } }),
      201
    )
    const { token } = await share({ snapshotId: snapshot.body.id })
    const csv = { 'content-type': 'text/csv' }
    const object = '/api/buckets/orders/objects/orders.csv'
    await must(
      test.call('PUT', object, { as: await as('editor'), body: 'line,pieces\n1,1\n2,1\n1,1\n', headers: csv }),
      201
    )
    assert.deepEqual(values(await data(token, { panels: ['pieces'] })), [[[25]]])
    assert.ok((await test.call('GET', at(token, '/dashboard'))).body.snapshotAt)
    assert.equal((await data(token, { variables: { line: '1' } })).body.code, 'share_variable_fixed')
    const seen = await must(test.call('GET', `${path}/${snapshot.body.id}`, { as: await as('viewer') }), 200)
    assert.ok(!JSON.stringify(seen.body.content).includes('SELECT'))
    await must(test.call('DELETE', `${path}/${snapshot.body.id}`, { as: await as('editor') }), 204)
    assert.equal((await data(token)).body.code, 'share_not_found')
  })

  it('gives users and roles rights inside, and takes them back', async () => {
    const other = { token: await test.token('inside', 'viewer') }
    const { user } = (await test.call('GET', '/api/users/me', { as: other })).body
    const made = await must(
      test.call('POST', '/api/dashboards', { as: await as('editor'), body: { name: 'own', everyone: 'none' } }),
      201
    )
    const path = `/api/dashboards/${made.body.id}`
    const inside = async (body: object) => test.call('POST', `${path}/share`, { as: await as('editor'), body })
    const { body } = await must(inside({ users: [user.id], permission: 'view' }), 201)
    assert.deepEqual(body.access.grants, [{ user: user.id, permission: 'view' }])
    assert.equal((await test.call('GET', path, { as: other })).status, 200)
    await must(inside({ roles: ['editor'], permission: 'edit' }), 201)
    await must(inside({ users: [user.id], permission: 'none' }), 201)
    assert.equal((await test.call('GET', path, { as: other })).status, 404)
    assert.equal((await inside({ users: ['usr_none'] })).body.errors[0].pointer, '/users/0')
    assert.equal((await inside({ users: [user.id], password: 'mixed up' })).body.errors[0].pointer, '/password')
    assert.equal((await inside({ permission: 'view' })).body.errors[0].pointer, '/users')
  })

  it('never shows data whose level has become stricter, nor what its maker may no longer see', async () => {
    const { token } = await share()
    const snapshot = await must(
      test.call('POST', `/api/dashboards/${id}/snapshots`, { as: await as('editor'), body: {} }),
      201
    )
    const frozen = await share({ snapshotId: snapshot.body.id })
    assert.equal((await data(token)).body.panels[0].status, 'ok')
    const resource = { resource: 'object://orders/orders.csv', level: 'confidential', columns: ['pieces'] }
    const label = await must(
      test.call('POST', '/api/classification/resources', { as: await as('admin'), body: resource }),
      201
    )
    const { panels } = (await data(token)).body
    for (const { error, frames } of panels) assert.deepEqual([error.code, frames], ['share_above_level', []])
    assert.equal((await data(frozen.token)).body.code, 'share_above_level')
    const image = await test.call('GET', at(token, '/image'))
    assert.ok(!image.text.includes('>40<'), 'the picture shows nothing either')
    assert.match(
      image.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
      /The data are classified higher than this/
    )
    const clearance = { level: 'internal' }
    await must(
      test.call('PUT', '/api/classification/clearances/editor', { as: await as('admin'), body: clearance }),
      200
    )
    const refused = await test.call('POST', `/api/dashboards/${id}/share`, { as: await as('editor'), body: {} })
    assert.deepEqual([refused.status, refused.body.code], [403, 'above_clearance'])
    await must(test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: await as('admin') }), 204)
    assert.equal((await data(token)).body.panels[0].status, 'ok')
  })
})
