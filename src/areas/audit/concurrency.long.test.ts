// Both: several write to one chain at once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { openIntruder } from '../../../test/support/tamper.ts'
import { createAuditKeys, createAuditTrail } from './index.ts'

describe('the audit trail under load', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await test.call('GET', '/api/users/me', { as: 'admin' })
  })
  after(() => test.close())

  const verify = () => test.call('GET', '/api/audit/verify', { as: 'admin' })
  const writeCheckpoints = async () => (await test.app.service('audit')).writeCheckpoints()
  const create = (name: string) => test.call('POST', '/api/api-keys', { as: 'admin', body: { name } })

  async function assertUnbroken(): Promise<number> {
    const intruder = await openIntruder(test.database)
    const { logs, heads } = await intruder.read()
    await intruder.close()
    for (const { lane, seq } of heads) {
      const seqs = logs.filter((row) => row.lane === lane).map((row) => row.seq)
      assert.deepEqual(
        seqs,
        Array.from({ length: seq }, (_, n) => n + 1)
      )
    }
    return logs.length
  }

  it('chains 300 changes that arrive together, and those that are refused among them', async () => {
    const before = await assertUnbroken()
    const answers = await Promise.all(
      Array.from({ length: 360 }, (_, n) => create(n % 6 === 0 ? ' not a name ' : `key ${n}`))
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 300)
    assert.equal(answers.filter(({ status }) => status === 400).length, 60)
    assert.equal(await assertUnbroken(), before + 360)
    const { body } = await verify()
    assert.deepEqual([body.ok, body.rowsChecked], [true, before + 360])
  })

  it('is found whole while rows and checkpoints are being added', async () => {
    let writing = true
    const verdicts: { ok: boolean; firstBad: unknown }[] = []
    const watch = async () => {
      while (writing) verdicts.push((await verify()).body)
    }
    const write = async () => {
      for (let round = 0; round < 6; round++) {
        await Promise.all([...Array.from({ length: 20 }, (_, n) => create(`k ${n}`)), writeCheckpoints()])
      }
      writing = false
    }
    await Promise.all([watch(), write()])
    assert.ok(verdicts.length > 1)
    for (const { ok, firstBad } of verdicts) assert.ok(ok, JSON.stringify(firstBad))
  })

  it('has no gap where a change was rolled back after its row had been written', async () => {
    const { metadata, clock, makeId, vault } = test.platform
    const trail = createAuditTrail({ dialect: metadata.dialect, clock, makeId, keys: createAuditKeys(vault) })
    const entry = {
      user: null,
      apiKey: null,
      action: 'thing.create',
      resourceType: 'thing',
      resourceId: null,
      outcome: 'success',
      status: 201,
      code: null,
      ip: '',
      userAgent: null,
      requestId: '',
      changes: null
    } as const
    const before = await assertUnbroken()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        metadata.transaction(async (tx) => {
          await trail.append(tx, { ...entry, requestId: String(n) })
          if (n % 2 === 0) throw new Error('changed its mind')
        })
      )
    )
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 20)
    assert.equal(await assertUnbroken(), before + 20)
    assert.equal((await verify()).body.ok, true)
  })

  it('is verified once at a time', async () => {
    // An embedded database answers at once: only between two chunks of rows does anyone else get a turn.
    const enough = test.platform.metadata.dialect === 'sqlite' ? 501 : 0
    while ((await assertUnbroken()) < enough) await Promise.all(Array.from({ length: 200 }, (_, n) => create(`k ${n}`)))
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, verify))
      const refused = answers.filter(({ status }) => status === 409)
      for (const { body } of refused) assert.equal(body.code, 'busy')
      assert.ok(answers.some(({ status }) => status === 200))
      return refused.length > 0
    })
    assert.equal((await verify()).body.ok, true)
  })
})
