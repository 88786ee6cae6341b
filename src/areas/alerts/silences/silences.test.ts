import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { alertWorkers } from '../upkeep.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('alerts that are held back', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let ruleId: string
  before(async () => {
    test = await startTestApp({ clock })
    const sourceId = await makeSource(test, 'plant')
    await writeLines(test, 'plant', `oil value=90 ${clock.now() - 1}\nair value=90 ${clock.now() - 1}`)
    const condition = { sourceId, tag: '*', function: 'last', window: '1d', operator: '>', threshold: 80 }
    ruleId = (await makeRule(test, { name: 'hot', condition, severity: 'error' })).id
    await evaluateAfter(test, clock, ruleId, 0)
  })
  after(() => test.close())

  const at = (ms: number) => new Date(clock.now() + ms).toISOString()
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    test.call(method, `/api/alerts/${path}`, { as: method === 'GET' ? 'viewer' : 'editor', ...(body && { body }) })
  const heldBy = async () =>
    Object.fromEntries((await alertsOf(test, ruleId)).map((alert) => [alert.labels.tag, alert.heldBy?.id ?? null]))

  it('say which silence it is, while it is active', async () => {
    assert.deepEqual(await heldBy(), { oil: null, air: null })
    const { status, body } = await call('POST', 'silences', {
      matchers: { rule: 'h?t', tag: 'oil' },
      reason: 'pump',
      for: '2h'
    })
    assert.equal(status, 201)
    const { id, createdBy, ...rest } = body
    assert.match(`${id} ${createdBy}`, /^sil_\w+ usr_\w+$/)
    assert.deepEqual(rest, {
      matchers: { rule: 'h?t', tag: 'oil' },
      reason: 'pump',
      startsAt: clock.iso(),
      endsAt: at(2 * HOUR_MS),
      state: 'active',
      alerts: 1,
      version: 1,
      createdAt: clock.iso(),
      updatedAt: clock.iso()
    })
    assert.deepEqual(await heldBy(), { oil: id, air: null })
    const [alert] = (await alertsOf(test, ruleId)).filter(({ labels }) => labels.tag === 'oil')
    const one = await call('GET', `history/${alert.id}`)
    assert.deepEqual(one.body.heldBy, { type: 'alert-silence', id })

    const changed = await call('PUT', `silences/${id}`, { matchers: { tag: '*' }, endsAt: at(HOUR_MS) })
    assert.deepEqual([changed.status, changed.body.version, changed.body.endsAt], [200, 2, at(HOUR_MS)])
    assert.equal((await call('GET', `silences/${id}`)).body.alerts, 2)
    assert.deepEqual(await heldBy(), { oil: id, air: id })

    const ended = await call('DELETE', `silences/${id}`)
    assert.deepEqual([ended.status, ended.body.state, ended.body.endsAt], [200, 'expired', clock.iso()])
    assert.deepEqual(await heldBy(), { oil: null, air: null })
    // The alert has no new version, but is not the same.
    const again = await test.call('GET', `/api/alerts/history/${alert.id}`, {
      as: 'viewer',
      headers: { 'if-none-match': '"v1"' }
    })
    assert.deepEqual([again.status, again.body.heldBy], [200, null])
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { reason: 'late' }]
    ] as const) {
      const late = await call(method, `silences/${id}`, body)
      assert.deepEqual([late.status, late.body.code, late.body.currentStatus], [409, 'illegal_transition', 'expired'])
    }
  })

  it('are not held by a silence before it starts and after it ends', async () => {
    const times = { startsAt: at(MINUTE_MS), endsAt: at(2 * MINUTE_MS) }
    const { body } = await call('POST', 'silences', { matchers: { tag: 'air' }, reason: 'Work at NIGHT', ...times })
    const find = async (state: string) => (await call('GET', `silences?q=night&state=${state}`)).body.total
    assert.deepEqual([body.state, await find('pending'), (await heldBy()).air], ['pending', 1, null])
    clock.advance(MINUTE_MS)
    assert.deepEqual([await find('active'), (await heldBy()).air], [1, body.id])
    clock.advance(MINUTE_MS)
    assert.deepEqual([await find('expired'), await find('active'), (await heldBy()).air], [1, 0, null])
  })

  it('are refused silences that have no end, end in the past, or last too long', async () => {
    for (const [times, pointer] of [
      [{}, '/endsAt'],
      [{ for: '1h', endsAt: at(HOUR_MS) }, '/for'],
      [{ for: 'soon' }, '/for'],
      [{ for: '2y' }, '/for'],
      [{ endsAt: at(-1) }, '/endsAt'],
      [{ endsAt: at(400 * DAY_MS) }, '/endsAt'],
      [{ startsAt: at(2 * HOUR_MS), endsAt: at(HOUR_MS) }, '/endsAt'],
      [{ startsAt: at(400 * DAY_MS), for: '1h' }, '/startsAt']
    ] as const) {
      const { status, body } = await call('POST', 'silences', { matchers: { tag: 'a' }, reason: 'r', ...times })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, pointer], JSON.stringify(times))
    }
    for (const wrong of [{ matchers: {} }, { reason: ' ' }, { reason: undefined }, { matchers: { a: 1 } }]) {
      const body = { matchers: { tag: 'a' }, reason: 'r', for: '1h', ...wrong }
      assert.equal((await call('POST', 'silences', body)).status, 400, JSON.stringify(wrong))
    }
  })

  it('say which inhibition it is, while another is open', async () => {
    const given = { name: 'oil first', source: { tag: 'oil' }, target: { rule: 'hot' }, equal: ['source'] }
    const { status, body } = await call('POST', 'inhibitions', given)
    assert.deepEqual([status, body.enabled, body.equal, body.version], [201, true, ['source'], 1])
    assert.deepEqual(await heldBy(), { oil: null, air: body.id })
    assert.equal((await call('POST', 'inhibitions', given)).body.code, 'name_taken')
    await call('PUT', `inhibitions/${body.id}`, { enabled: false })
    assert.deepEqual(await heldBy(), { oil: null, air: null })
    assert.equal((await call('GET', `inhibitions/${body.id}`)).body.enabled, false)
    assert.equal((await call('GET', 'inhibitions?enabled=false')).body.total, 1)
    await call('PUT', `inhibitions/${body.id}`, { enabled: true })
    const [oil] = (await alertsOf(test, ruleId)).filter(({ labels }) => labels.tag === 'oil')
    assert.equal((await call('POST', `history/${oil.id}/resolve`, {})).status, 200)
    assert.deepEqual(await heldBy(), { oil: null, air: null })
    assert.equal((await call('DELETE', `inhibitions/${body.id}`)).status, 204)
    assert.equal((await call('GET', `inhibitions/${body.id}`)).status, 404)
  })

  it('are no longer told of by silences that expired 90 days ago', async () => {
    const { metadata } = test.platform
    const prune = async (days: number) => {
      const later = new ManualClock(at(days * DAY_MS))
      const parts = { ...test.platform, clock: later, evaluator: undefined, history: undefined }
      const run = { signal: new AbortController().signal, commit: (work: never) => metadata.transaction(work) }
      await alertWorkers(parts as never)['alerts.prune']?.(run as never)
      return (await call('GET', 'silences')).body.total
    }
    assert.equal(await prune(89), 2)
    assert.equal(await prune(91), 0)
  })

  it('can’t have too many silences or inhibitions', async () => {
    const { metadata } = test.platform
    const stamps = { version: 1, created_at: clock.iso(), updated_at: clock.iso(), created_by: 'usr_a' }
    const times = { starts_at: at(0), ends_at: at(HOUR_MS) }
    await metadata.transaction(async (tx) => {
      for (let from = 0; from < 10_000; from += 100) {
        const rows = Array.from({ length: 100 }, (_, i) => ({
          id: `sil_${from + i}`,
          matchers: '{"a":"b"}',
          reason: 'r',
          ...times,
          ...stamps
        }))
        await tx.insertInto('alert_silences').values(rows).execute()
      }
      const rows = Array.from({ length: 200 }, (_, i) => ({
        id: `inh_${i}`,
        name: `${i}`,
        source: '{"a":"b"}',
        target: '{"a":"b"}',
        equal: '[]',
        enabled: 0,
        ...stamps
      }))
      for (const row of rows) await tx.insertInto('alert_inhibitions').values(row).execute()
    })
    const silence = await call('POST', 'silences', { matchers: { a: 'b' }, reason: 'r', for: '1h' })
    assert.deepEqual([silence.status, /10000 silences/.test(silence.body.detail)], [400, true])
    const inhibition = await call('POST', 'inhibitions', { name: 'more', source: { a: 'b' }, target: { a: 'c' } })
    assert.deepEqual([inhibition.status, /200 inhibitions/.test(inhibition.body.detail)], [400, true])
  })
})
