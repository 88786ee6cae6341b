import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ATTEMPTS, type Attempt, type Outcome, optionsOf } from '../support/clearance/attempts.ts'
import { ClearanceWorld, type Secret } from '../support/clearance/world.ts'

describe('without clearance', () => {
  let world: ClearanceWorld
  const secrets: Secret[] = []
  before(async () => {
    world = await ClearanceWorld.start()
    for (const level of ['confidential', 'restricted'] as const) secrets.push(await world.secret(level))
  })
  after(() => world.close())

  for (const [operation, attempts] of Object.entries(ATTEMPTS)) {
    it(`${operation} gives nothing away`, async () => {
      for (const secret of secrets) for (const attempt of attempts(secret)) await check(secret, attempt)
    })
  }

  async function check(secret: Secret, attempt: Attempt): Promise<void> {
    const { method, path, follows, as } = attempt
    const { status, text, body } =
      follows === undefined || as === undefined
        ? await world.test.call(method, `/api${path}`, optionsOf(attempt))
        : await world.follow(path, as, follows)
    const what = `${secret.level}: ${method} ${path} ${status} ${text}`
    for (const hidden of secrets.flatMap((one) => one.hidden)) assert.ok(!text.includes(hidden), what)
    const expected: Outcome = attempt[secret.level]
    if (expected === 'refused') {
      assert.equal(status, 403, what)
      if (body !== undefined) assert.ok(['above_clearance', 'link_refused'].includes(body.code), what)
    } else {
      assert.ok(status < 300, what)
      assert.equal(text.includes('********'), expected === 'masked' || text.includes('********'), what)
    }
  }

  it('a database that stumbles over a value does not tell it', async () => {
    const [confidential] = secrets as [Secret]
    const { connectorId, canary } = confidential
    const body = { stream: 'confidential.broken' }
    const { status, text } = await world.test.call('POST', `/api/connectors/${connectorId}/read`, {
      as: 'viewer',
      body
    })
    assert.ok(status === 422 && !text.includes(canary), text)
    const told = await world.test.call('POST', `/api/connectors/${connectorId}/read`, { as: 'admin', body })
    assert.ok(told.text.includes(canary))
  })

  it('whoever has it sees all of it', async () => {
    for (const { canary, bucket, sourceId, pipelineId, linkUrl } of secrets) {
      const asAdmin = async (method: string, path: string, body?: unknown) =>
        (await world.admin(method, path, body)).text.includes(canary)
      assert.ok(await asAdmin('GET', `/buckets/${bucket}/objects/people.csv`))
      assert.ok(await asAdmin('POST', '/catalog/query', { sourceId, startTime: '-1h' }))
      assert.ok(await asAdmin('GET', `/pipelines/${pipelineId}/data`))
      assert.ok(await asAdmin('GET', `/pipelines/${pipelineId}/dead-letters`))
      const { body } = await world.admin('POST', `/buckets/${bucket}/links`, { key: 'people.csv' })
      const fresh = await fetch(body.url)
      assert.ok((await fresh.text()).includes(canary))
      assert.equal((await fetch(linkUrl)).status, 403, 'made before the object had its level')
    }
  })

  it('channels are sent nothing of it', () => {
    assert.ok(world.sent.length >= secrets.length)
    for (const { canary } of secrets) assert.ok(!world.sent.some((text) => text.includes(canary)))
  })

  it('refusals and masked reads are in the audit trail, with level and clearance', async () => {
    const { body } = await world.admin('GET', '/audit/logs?limit=1000')
    const entries = body.logs as {
      action: string
      code: string | null
      changes: Record<string, { to: unknown }> | null
    }[]
    const refusals = entries.filter(({ code }) => code === 'above_clearance')
    assert.ok(refusals.length > 20)
    for (const { changes } of refusals) assert.equal(changes?.clearance?.to, 'internal')
    assert.deepEqual([...new Set(refusals.map(({ changes }) => changes?.level?.to))].sort(), [
      'confidential',
      'restricted'
    ])
    const masks = entries.filter(({ action }) => action === 'classification.mask')
    assert.ok(masks.length > 0)
    for (const { changes } of masks) assert.equal(changes?.clearance?.to, 'internal')
    assert.ok(!JSON.stringify(body).includes('canary'))
  })

  it('nothing of it is in the log of the server', () => {
    for (const { canary } of secrets) {
      assert.deepEqual(
        world.test.logged.filter((line) => line.includes(canary)),
        []
      )
    }
  })
})
