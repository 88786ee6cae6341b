import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/support/app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const PATH = '/api/scheduler/schedules'
const SOON = { cron: '0 6 * * *' }
const url = 'https://example.com/hook'
const http = (config: object = {}) => ({ type: 'http', config: { url, ...config } })
const post = (body: unknown, as: 'editor' | 'viewer' = 'editor') => app.call('POST', PATH, { as, body })
let made = 0

async function create(body: object = {}) {
  made += 1
  const answer = await post({ name: `schedule ${made}`, ...SOON, target: http(), ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('a schedule is made, read, listed, changed and deleted', async () => {
  const schedule = await create({ timeZone: 'Europe/Berlin', name: 'Frühschicht / Linie 3' })
  assert.equal(schedule.version, 1)
  assert.equal(schedule.nextRuns.length, 5)
  assert.deepEqual(schedule.target, { type: 'http', id: null, config: { url } })
  const one = await app.call('GET', `${PATH}/${schedule.id}`, { as: 'viewer' })
  assert.deepEqual(one.body, schedule)
  const list = await app.call('GET', `${PATH}?q=SCHICHT&targetType=http&enabled=true`, { as: 'viewer' })
  assert.deepEqual(
    list.body.schedules.map(({ id }: { id: string }) => id),
    [schedule.id]
  )
  const changed = await app.call('PUT', `${PATH}/${schedule.id}`, {
    as: 'editor',
    headers: { 'if-match': one.headers.get('etag') as string },
    body: { everySeconds: 90, description: 'often' }
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.body.cron, changed.body.everySeconds, changed.body.version], [null, 90, 2])
  const gone = await app.call('DELETE', `${PATH}/${schedule.id}`, { as: 'editor' })
  assert.equal(gone.status, 204)
  assert.equal((await app.call('GET', `${PATH}/${schedule.id}`, { as: 'viewer' })).status, 404)
})

describe('a secret of a target', () => {
  const secret = 'a very secret text'

  test('is never shown, kept where it goes to the same place, and refused for another', async () => {
    const schedule = await create({ target: http({ secret, headers: { authorization: secret } }) })
    const { config } = schedule.target
    assert.deepEqual([config.secret, config.headers], ['********', '********'])
    const put = (target: object) => app.call('PUT', `${PATH}/${schedule.id}`, { as: 'editor', body: { target } })
    const kept = await put(http({ ...config, url: 'https://example.com/other' }))
    assert.equal(kept.status, 200, kept.text)
    const moved = await put(http({ ...config, url: 'https://elsewhere.example/hook' }))
    assert.deepEqual([moved.status, moved.body.code], [400, 'secret_bound'])
    const pointers = moved.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(pointers.sort(), ['/target/config/headers', '/target/config/secret'])
    for (const { text } of [kept, moved]) assert.ok(!text.includes(secret))
    const audit = await app.call('GET', '/api/audit/logs?resourceType=schedule&limit=1000', { as: 'admin' })
    assert.ok(!audit.text.includes(secret))
    const { db } = app.platform.metadata
    assert.ok(!JSON.stringify(await db.selectFrom('schedules').selectAll().execute()).includes(secret))
  })

  test('that was never given can’t be sent as its mask', async () => {
    const answer = await post({ name: 'masked', ...SOON, target: http({ secret: '********' }) })
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/target/config/secret'])
  })
})

const REFUSED: [string, object, number, string][] = [
  ['two kinds of time', { everySeconds: 5 }, 400, '/everySeconds'],
  ['no time at all', { cron: undefined }, 400, '/cron'],
  ['a field of cron that does not exist', { cron: '61 * * * *' }, 400, '/cron'],
  ['too few fields', { cron: '* * *' }, 400, '/cron'],
  ['a day that never comes', { cron: '0 0 30 2 *' }, 400, '/cron'],
  ['an unknown zone', { timeZone: 'Europe/Berln' }, 400, '/timeZone'],
  ['a moment in the past', { cron: undefined, at: '2020-01-01T00:00:00Z' }, 400, '/at'],
  ['an end that is over', { endAt: '2020-01-01T00:00:00Z' }, 400, '/endAt'],
  ['a window that is none', { catchUpWindow: 'a day' }, 400, '/catchUpWindow'],
  ['an exclusion that is none', { exclusions: [{ date: '2026-13-01' }] }, 400, '/exclusions/0/date'],
  ['exclusions that leave nothing', { exclusions: [{ from: '05:00', to: '07:00' }] }, 400, '/exclusions'],
  ['a time without a zone', { startAt: '2036-03-02T04:00:00' }, 400, '/startAt'],
  ['an overlap that there is not', { overlap: 'maybe' }, 400, '/overlap'],
  ['a field that there is not', { crom: '* * * * *' }, 400, '/crom'],
  ['a target without its id', { target: { type: 'pipeline' } }, 400, '/target/id'],
  ['a target with an id that it does not take', { target: { ...http(), id: 'x' } }, 400, '/target/id'],
  ['a configuration that is no object', { target: { type: 'http', config: null } }, 400, '/target/config'],
  ['a wrong field of the configuration', { target: http({ method: 'HEAD' }) }, 400, '/target/config/method']
]

for (const [what, body, status, pointer] of REFUSED) {
  test(`${what} is refused, with the field that is wrong`, async () => {
    const answer = await post({ name: 'refused', ...SOON, target: http(), ...body })
    assert.equal(answer.status, status, answer.text)
    assert.deepEqual(answer.body.errors?.map((error: { pointer: string }) => error.pointer).slice(0, 1), [pointer])
    assert.ok(answer.body.errors[0].message.length > 10, answer.text)
  })
}

test('a time without a zone is answered with an example', async () => {
  for (const field of ['at', 'startAt', 'endAt']) {
    const answer = await post({ name: 'refused', target: http(), [field]: '2036-03-02T04:00:00' })
    assert.deepEqual(answer.body.errors.slice(0, 1), [
      {
        pointer: `/${field}`,
        message: 'must be a time with its zone, such as 2026-03-02T04:00:00Z or 2026-03-02T05:00:00+01:00'
      }
    ])
  }
})

test('a change to exclusions that leave nothing is refused, and other changes are not', async () => {
  const { id } = await create()
  const put = (body: object) => app.call('PUT', `${PATH}/${id}`, { as: 'editor', body })
  const refused = await put({ exclusions: [{ from: '05:00', to: '07:00' }] })
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/exclusions'])
  assert.equal((await put({ exclusions: [{ from: '05:00', to: '06:00' }] })).status, 200)
})

test('a preview takes no jitter, which depends on the schedule', async () => {
  const body = { cron: '30 2 * * *', jitterSeconds: 60 }
  const answer = await app.call('POST', '/api/scheduler/preview', { as: 'viewer', body })
  assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/jitterSeconds'])
})

test('a target that no area offers is refused by name, with those that there are', async () => {
  const answer = await post({ name: 'refused', ...SOON, target: { type: 'teleport' } })
  assert.deepEqual([answer.status, answer.body.code], [422, 'unknown_target'])
  assert.deepEqual(answer.body.targets, [
    'backup',
    'classification',
    'downsample',
    'http',
    'pipeline',
    'quality',
    'sql'
  ])
  const offered = await app.call('GET', '/api/scheduler/targets', { as: 'viewer' })
  assert.deepEqual(
    offered.body.targets.map(({ type }: { type: string }) => type),
    answer.body.targets
  )
})

test('who may not do what a schedule does may not make it', async () => {
  const viewer = await post({ name: 'refused', ...SOON, target: http() }, 'viewer')
  assert.deepEqual([viewer.status, viewer.body.permission], [403, 'scheduler:write'])
  const backup = await post({ name: 'refused', ...SOON, target: { type: 'backup' } })
  assert.deepEqual([backup.status, backup.body.permission], [403, 'storage:admin'])
})

test('a name is taken once, and a pause is asked for once', async () => {
  const { id, name } = await create()
  assert.equal((await post({ name, ...SOON, target: http() })).body.code, 'name_taken')
  const call = (verb: string): Promise<Answer> => app.call('POST', `${PATH}/${id}/${verb}`, { as: 'editor' })
  assert.equal((await call('resume')).body.code, 'illegal_transition')
  assert.equal((await call('pause')).status, 200)
  assert.equal((await call('pause')).body.code, 'illegal_transition')
})

test('a preview marks what the change of the clock does', async () => {
  const body = { cron: '30 2 * * *', timeZone: 'Europe/Berlin', from: '2026-10-24T12:00:00Z', count: 3, dst: 'both' }
  const { body: preview } = await app.call('POST', '/api/scheduler/preview', { as: 'viewer', body })
  const { dueTimes } = preview as { dueTimes: { local: string; effect: string | null }[] }
  assert.deepEqual(
    dueTimes.map(({ local, effect }) => [local, effect]),
    [
      ['2026-10-25T02:30:00+02:00', 'first-of-two'],
      ['2026-10-25T02:30:00+01:00', 'second-of-two'],
      ['2026-10-26T02:30:00+01:00', null]
    ]
  )
})
