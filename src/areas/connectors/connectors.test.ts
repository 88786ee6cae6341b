import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { hasRows } from '../../engines/metadata/index.ts'
import { createVault } from '../../engines/vault/index.ts'
import { MASK } from '../../http/sealed-config.ts'
import { contextOf } from './secret-keeping.ts'

const CONFIG = { host: '127.0.0.1', port: 1, database: 'plant', user: 'reader', password: 's3cret-of-the-plant' }

const pointersOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)

describe('connectors', () => {
  let test: TestApp
  let clock: ManualClock
  before(async () => {
    clock = new ManualClock()
    test = await startTestApp({ clock, env: { ALLOWED_HOSTS: '127.0.0.1' } })
  })
  after(() => test.close())

  const isBusy = () => hasRows(test.platform.metadata.db.selectFrom('jobs').where('state', '=', 'running'))

  let made = 0
  const create = (body: object) => test.call('POST', '/api/connectors', { as: 'editor', body })
  const update = (id: string, body: object) => test.call('PUT', `/api/connectors/${id}`, { as: 'editor', body })
  async function make(more: object = {}) {
    const { status, body, text } = await create({
      name: `plant ${++made}`,
      sourceId: 'postgres',
      config: CONFIG,
      ...more
    })
    assert.equal(status, 201, text)
    return body
  }

  it('are made untested, and keep their secrets from answers, the audit trail, the log and the tables', async () => {
    const connector = await make({ name: 'plant' })
    const { id, createdAt, updatedAt, statusSince, ...rest } = connector
    assert.match(id, /^cn_/)
    assert.deepEqual(rest, {
      name: 'plant',
      sourceId: 'postgres',
      config: { ...CONFIG, password: MASK },
      status: 'untested',
      lastTest: null,
      streams: null,
      version: 1
    })
    assert.deepEqual([updatedAt, statusSince], [createdAt, createdAt])
    assert.equal((await create({ name: 'plant', sourceId: 'mysql', config: CONFIG })).body.code, 'name_taken')
    const shown = await test.call('GET', `/api/connectors/${id}`, { as: 'viewer' })
    assert.deepEqual(shown.body, connector)
    const { body: result } = await test.call('POST', `/api/connectors/${id}/test`, { as: 'editor' })
    assert.equal(result.success, false)
    const audited = await test.call('GET', '/api/audit/logs?resourceType=connector&limit=100', { as: 'admin' })
    assert.ok(audited.body.total >= 2)
    const { db } = test.platform.metadata
    const rows = await db.selectFrom('connectors').selectAll().execute()
    const tests = await db.selectFrom('connector_tests').selectAll().execute()
    for (const text of [audited.text, JSON.stringify(rows), JSON.stringify(tests), test.logged.join('\n')]) {
      assert.ok(text.length > 0 && !text.includes('s3cret'))
    }
  })

  it('keep a secret that is masked or left out, but only for the same place', async () => {
    const { id } = await make()
    const { password: _, ...open } = CONFIG
    for (const config of [open, { ...open, password: MASK }, { ...open, database: 'other' }]) {
      const { status, body, text } = await update(id, { config })
      assert.deepEqual([status, body.config?.password], [200, MASK], text)
    }
    for (const change of [{ host: '127.0.0.2' }, { port: 2 }, { user: 'eve' }, { tls: true }]) {
      const { status, body } = await update(id, { config: { ...open, ...change } })
      assert.deepEqual([status, body.code, pointersOf(body)], [400, 'secret_bound', ['/config/password']])
    }
    const { body: bare } = await update(id, { config: { ...open, password: null } })
    assert.deepEqual(bare.config, open)
    assert.deepEqual(pointersOf((await update(id, { config: { ...open, password: MASK } })).body), ['/config/password'])
  })

  it('are changed only by whoever has seen them, and the audit trail tells that a secret was sent', async () => {
    const { id } = await make()
    const change = (version: string, body: object, method = 'PUT') =>
      test.call(method, `/api/connectors/${id}`, { as: 'editor', body, headers: { 'if-match': version } })
    assert.equal((await change('"v1"', { config: { ...CONFIG, password: 'another' } })).status, 200)
    assert.equal((await change('"v1"', { name: 'late' })).status, 412)
    const { logs } = (
      await test.call('GET', `/api/audit/logs?resourceId=${id}&action=connector.update`, { as: 'admin' })
    ).body
    const told = logs.find(({ outcome }: { outcome: string }) => outcome === 'success')
    assert.deepEqual(told.changes.secretsSent.to, ['password'])
    assert.equal((await change('"v2"', {}, 'DELETE')).status, 204)
  })

  it('are refused with a pointer to each thing that is wrong', async () => {
    for (const [body, pointers] of [
      [{ sourceId: 'postgress' }, ['/sourceId']],
      [{ config: { ...CONFIG, host: 'a b', port: 0 } }, ['/config/host', '/config/port']],
      [{ config: { ...CONFIG, hostname: 'x' } }, ['/config/hostname']],
      [{ config: { host: 'x' } }, ['/config/database', '/config/user']],
      [{ config: [] }, ['/config']],
      [{ config: { ...CONFIG, password: MASK } }, ['/config/password']]
    ] as const) {
      const answer = await create({ name: 'wrong', sourceId: 'postgres', config: CONFIG, ...body })
      assert.deepEqual([answer.status, pointersOf(answer.body).sort()], [400, [...pointers].sort()], answer.text)
    }
    const { id } = await make()
    assert.match((await update(id, { sourceId: 'mysql' })).body.errors[0].message, /can’t be changed/)
    assert.equal((await test.call('POST', '/api/connectors', { as: 'viewer', body: {} })).status, 403)
  })

  it('take back what was answered, with changes in it, and refuse to change what nobody changes', async () => {
    const made = await make()
    await test.call('POST', `/api/connectors/${made.id}/test`, { as: 'editor' })
    const { body: shown } = await test.call('GET', `/api/connectors/${made.id}`, { as: 'editor' })
    assert.equal(shown.status, 'failing')
    const same = await update(made.id, shown)
    assert.equal(same.status, 200, same.text)
    const { version, updatedAt, ...others } = shown
    const { version: next, updatedAt: _, ...kept } = same.body
    assert.deepEqual([kept, next], [others, version + 1], 'the same configuration is as tested as it was')
    const renamed = await update(made.id, { ...same.body, name: 'taken back' })
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'taken back'])
    const changes = { sourceId: 'mysql', status: 'healthy', version: 99, id: 'cn_other', lastTest: null }
    const refused = await update(made.id, { ...renamed.body, ...changes })
    assert.deepEqual(
      [refused.status, pointersOf(refused.body).sort()],
      [
        400,
        Object.keys(changes)
          .map((field) => `/${field}`)
          .sort()
      ]
    )
    assert.match(refused.body.errors[0].message, /can’t be changed; leave it out/)
  })

  it('say that their secrets can’t be opened, and take others in their place', async () => {
    const { id } = await make()
    await test.platform.metadata.transaction((tx) =>
      tx
        .updateTable('connectors')
        .set({ secrets: createVault(['x'.repeat(32)]).seal('{}', contextOf(id)) })
        .where('id', '=', id)
        .execute()
    )
    const post = (path: string, body?: object) =>
      test.call('POST', `/api/connectors/${id}${path}`, { as: 'editor', body })
    for (const answer of [await post('/test'), await post('/discover'), await post('/read', { stream: 'public.a' })]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'secrets_unreadable'], answer.text)
      assert.match(answer.body.detail, /SECRET_KEY.*PUT/)
    }
    const { password: _, ...open } = CONFIG
    for (const config of [open, { ...open, password: MASK }]) {
      assert.deepEqual(pointersOf((await update(id, { config })).body), ['/config/password'])
    }
    assert.equal((await update(id, { config: CONFIG })).status, 200)
    assert.equal((await post('/test')).status, 200)
  })

  it('have streams that are stale with another configuration, but not with another secret', async () => {
    const { id } = await make()
    await test.platform.metadata.transaction((tx) =>
      tx.updateTable('connectors').set({ discovered_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
    )
    const secret = await update(id, { config: { ...CONFIG, password: 'another' } })
    assert.deepEqual([secret.body.status, secret.body.streams.stale], ['untested', false])
    const other = await update(id, { config: { ...CONFIG, database: 'elsewhere', password: 'another' } })
    assert.equal(other.body.streams.stale, true)
    const named = await update(id, { name: 'still stale' })
    assert.equal(named.body.streams.stale, true)
    const read = await test.call('POST', `/api/connectors/${id}/read`, { as: 'editor', body: { stream: 'public.a' } })
    assert.match(read.body.detail, /has become another.*discover/)
  })

  it('fail their test with its step, and are untested again with another configuration', async () => {
    const { id } = await make()
    const { body } = await test.call('POST', `/api/connectors/${id}/test`, { as: 'editor' })
    assert.deepEqual(
      body.checks
        .slice(0, 4)
        .map((check: { name: string; ok: boolean; code: string; pointer: string }) => [
          check.name,
          check.ok,
          check.code,
          check.pointer
        ]),
      [
        ['resolve', true, null, null],
        ['policy', true, null, null],
        ['connect', false, 'unreachable', '/config/port'],
        ['tls', false, 'not_tried', null]
      ]
    )
    const failing = (await test.call('GET', `/api/connectors/${id}`, { as: 'viewer' })).body
    assert.deepEqual([failing.status, failing.lastTest.success, failing.version], ['failing', false, 1])
    const { tests } = (await test.call('GET', `/api/connectors/${id}/tests`, { as: 'viewer' })).body
    assert.deepEqual([tests.length, tests[0].code], [1, 'unreachable'])
    const listed = (await test.call('GET', '/api/connectors?status=failing&sourceId=postgres', { as: 'viewer' })).body
    assert.ok(listed.connectors.some((one: { id: string }) => one.id === id))
    assert.equal((await update(id, { name: 'renamed' })).body.status, 'failing')
    assert.equal((await update(id, { config: CONFIG })).body.status, 'untested')
  })

  it('are tested again by themselves, and what fails is seen in health, metrics and by alert rules', async () => {
    const { id: broken } = await make({ name: 'broken seal' })
    const { id } = await make({ name: 'watched' })
    await test.platform.metadata.transaction(async (tx) => {
      const due = { next_test_ms: clock.now() }
      await tx.updateTable('connectors').set(due).where('id', '=', id).execute()
      // It comes first, and can't be tested at all.
      const odd = { next_test_ms: 0, secrets: 'v1.00000000.broken' }
      await tx.updateTable('connectors').set(odd).where('id', '=', broken).execute()
    })
    await eventually(async () => {
      // While a job runs the clock stands still, so that nothing takes too long on a busy machine.
      if (!(await isBusy())) clock.advance(5000)
      const { body } = await test.call('GET', `/api/connectors/${id}`, { as: 'viewer' })
      assert.equal(body.status, 'failing')
    })
    const { checks } = (await test.call('GET', '/api/health')).body
    assert.match(JSON.stringify(checks.connectors), /fail their test/)
    assert.match(
      (await test.call('GET', '/metrics', { as: 'admin' })).text,
      /millrace_connectors\{status="failing"\} [1-9]/
    )
    const { failingConnectors } = await import('./condition.ts')
    const { happenings } = await failingConnectors(test.platform.metadata.db)
    assert.ok(happenings.some(({ connector, code }) => connector === id && code === 'unreachable'))
  })

  it('keep the last hundred tests', async () => {
    const { id } = await make()
    const { insertTest } = await import('./store.ts')
    await test.platform.metadata.transaction(async (tx) => {
      for (let n = 0; n < 105; n++) {
        const row = {
          connector_id: id,
          at: clock.iso(),
          success: 1 as const,
          code: null,
          message: String(n),
          checks: '[]'
        }
        await insertTest(tx, { id: `cnt_${String(n).padStart(4, '0')}`, ...row })
      }
    })
    const { tests, total } = (await test.call('GET', `/api/connectors/${id}/tests?limit=2`, { as: 'viewer' })).body
    assert.deepEqual([total, tests.map(({ message }: { message: string }) => message)], [100, ['104', '103']])
  })

  it('say so where the system does not answer, and are deleted with all that is theirs', async () => {
    const { id } = await make()
    const discovered = await test.call('POST', `/api/connectors/${id}/discover`, { as: 'editor' })
    assert.deepEqual(
      [discovered.status, discovered.body.code, discovered.body.cause],
      [502, 'source_failed', 'unreachable']
    )
    const read = await test.call('POST', `/api/connectors/${id}/read`, { as: 'viewer', body: { stream: 'a' } })
    assert.deepEqual([read.status, read.body.code], [404, 'unknown_stream'])
    assert.match(read.body.detail, /^Nothing was discovered yet/)
    assert.equal((await test.call('DELETE', `/api/connectors/${id}`, { as: 'editor' })).status, 204)
    assert.equal((await test.call('GET', `/api/connectors/${id}`, { as: 'viewer' })).status, 404)
    assert.equal((await test.call('GET', `/api/connectors/${id}/streams`, { as: 'viewer' })).status, 404)
  })
})
