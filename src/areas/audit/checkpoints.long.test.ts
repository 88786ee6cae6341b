import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { anchorFile } from '../../platform.ts'

describe('checkpoints of the audit trail', () => {
  const clock = new ManualClock()
  let test: TestApp

  before(async () => {
    test = await startTestApp({ clock })
    // The first checkpoint job runs at the start; rows written before it would be signed at once.
    await eventually(async () => {
      const jobs = test.platform.metadata.db.selectFrom('jobs').select('run_at').where('kind', '=', 'audit.checkpoint')
      return (await jobs.executeTakeFirstOrThrow()).run_at > clock.iso()
    })
  })
  after(() => test.close())

  const list = async (query = '') => (await test.call('GET', `/api/audit/checkpoints${query}`, { as: 'admin' })).body

  it('are written every minute where there is something new', async () => {
    assert.equal((await list()).total, 0)
    let seconds = 0
    while ((await list()).total === 0 && seconds++ < 130) clock.advance(1000)
    assert.ok(seconds >= 55 && seconds <= 70, `after ${seconds} s`)
    const { total } = await list()
    for (let more = 0; more < 70; more++) {
      clock.advance(1000)
      await list()
    }
    assert.equal((await list()).total, total, 'nothing has happened since')
  })

  it('are signed with the published key, and lie beside the database as well', async () => {
    const { checkpoints } = await list()
    const [jwk] = (await test.call('GET', '/.well-known/millrace-audit-keys.json')).body.keys
    const key = createPublicKey({ format: 'jwk', key: jwk })
    for (const { lane, seq, hash, time, signature } of checkpoints) {
      const text = `millrace-audit-checkpoint\n${lane}\n${seq}\n${hash}\n${time}`
      assert.ok(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url')))
      const row = (await test.call('GET', '/api/audit/logs', { as: 'admin' })).body.logs.find(
        (log: { lane: number; seq: number }) => log.lane === lane && log.seq === seq
      )
      assert.equal(row.hash, hash)
    }
    const lines = readFileSync(anchorFile(test.platform.config), 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).signature).sort(),
      checkpoints.map(({ signature }: { signature: string }) => signature).sort()
    )
  })

  it('leave one line a lane beside the database, however many there have been', async () => {
    const lines = () => readFileSync(anchorFile(test.platform.config), 'utf8').trim().split('\n')
    const before = (await list()).total
    for (let round = 0; round < 3; round++) {
      await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: `round ${round}` } })
      const { total } = await list()
      for (let second = 0; second < 130 && (await list()).total === total; second++) clock.advance(1000)
    }
    assert.ok((await list()).total >= before + 3)
    const lanes = lines().map((line) => JSON.parse(line).lane)
    assert.equal(new Set(lanes).size, lanes.length)
  })

  it('are written when the server stops, and found good by the next one', async () => {
    const before = (await list()).total
    await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'k' } })
    test = await test.reopen()
    assert.ok((await list()).total > before)
    assert.equal((await test.call('GET', '/api/audit/verify', { as: 'admin' })).body.ok, true)
  })
})
