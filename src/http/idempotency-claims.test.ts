// Both: claims are made of transactions.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { createIds } from '../engines/ids.ts'
import type { Metadata } from '../engines/metadata/index.ts'
import { createVault } from '../engines/vault/index.ts'
import { Problem } from '../errors.ts'
import { type Claim, Idempotency, type Remembered } from './idempotency.ts'
import { idempotencyMigrations } from './idempotency-migrations.ts'

const LEASE_MS = 60_000
const DAY_MS = 24 * 3600_000
const ANSWER: Remembered = { status: 201, headers: { etag: '"v1"' }, body: '{"id":"a"}', rights: [] }

const running = (error: unknown) => error instanceof Problem && error.code === 'idempotency_key_running'

describe('the claim on an Idempotency-Key', () => {
  let database: TestDatabase
  let metadata: Metadata
  let clock: ManualClock
  let idempotency: Idempotency

  before(async () => {
    database = await createTestDatabase()
    metadata = await database.open()
    await metadata.migrate(idempotencyMigrations)
  })
  beforeEach(async () => {
    clock = new ManualClock()
    const vault = createVault(['a secret of more than 32 characters'])
    idempotency = new Idempotency({ metadata, vault, clock, makeId: createIds(clock) })
    await metadata.transaction((tx) => tx.deleteFrom('idempotency_keys').execute())
  })
  after(async () => {
    await metadata.close()
    await database.drop()
  })

  const begin = (asked = 'POST /x') => idempotency.begin('usr_1', 'key', asked)
  const finish = (claim: Claim | Remembered, answer = ANSWER) =>
    metadata.transaction((tx) => idempotency.finish(tx, claim as Claim, answer))
  const keys = async () =>
    (await metadata.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)

  it('holds until its lease ends, and is then taken over', async () => {
    await begin()
    clock.advance(LEASE_MS - 1)
    await assert.rejects(begin(), running)
    clock.advance(1)
    assert.deepEqual(await finish(await begin()), undefined)
    assert.deepEqual(await begin(), ANSWER)
  })

  it('that was taken over can neither keep an answer nor give the key back', async () => {
    const dead = (await begin()) as Claim
    clock.advance(LEASE_MS)
    const heir = await begin()
    await assert.rejects(finish(dead, { ...ANSWER, body: '{"id":"late"}' }), running)
    await idempotency.release(dead)
    await assert.rejects(begin(), running)
    await finish(heir)
    await idempotency.release(dead)
    await assert.rejects(finish(dead, { ...ANSWER, body: '{"id":"later"}' }), running)
    assert.deepEqual(await begin(), ANSWER)
  })

  it('undoes the change of a late one, which shares its transaction', async () => {
    const dead = (await begin()) as Claim
    clock.advance(LEASE_MS)
    await begin()
    const late = metadata.transaction(async (tx) => {
      const row = { caller: 'x', key: 'change', fingerprint: '', claim: '', claimed_until: '', expires_at: '9' }
      await tx
        .insertInto('idempotency_keys')
        .values({ ...row, status: null, answer: null })
        .execute()
      await idempotency.finish(tx, dead, ANSWER)
    })
    await assert.rejects(late, running)
    assert.deepEqual(await keys(), ['key'])
  })

  it('is free at once when it is given back', async () => {
    await idempotency.release((await begin()) as Claim)
    assert.ok('token' in (await begin('POST /other')))
  })

  it('does not go with the answer when it is given back after that', async () => {
    const claim = (await begin()) as Claim
    await finish(claim)
    await idempotency.release(claim)
    assert.deepEqual(await begin(), ANSWER)
  })

  it('belongs to what was asked, also while it runs', async () => {
    await begin()
    await assert.rejects(begin('POST /other'), { code: 'idempotency_key_reused' })
  })

  it('is never lost between those who fail and those who arrive', async () => {
    const attempt = async () => {
      try {
        await idempotency.release((await begin()) as Claim)
        return 'done'
      } catch (error) {
        return error instanceof Problem ? error.code : error
      }
    }
    const outcomes = new Set<unknown>()
    for (let round = 0; round < 20; round++) {
      for (const outcome of await Promise.all(Array.from({ length: 15 }, attempt))) outcomes.add(outcome)
    }
    outcomes.delete('idempotency_key_running')
    assert.deepEqual([...outcomes], ['done'])
  })

  it('is forgotten a day after it was made, in batches', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => ({
      caller: 'usr_1',
      key: `old-${index}`,
      fingerprint: '',
      claim: '',
      claimed_until: clock.iso(),
      expires_at: clock.iso(),
      status: 201,
      answer: ''
    }))
    await metadata.transaction((tx) => tx.insertInto('idempotency_keys').values(rows).execute())
    await finish(await begin())
    clock.advance(DAY_MS)
    const prune = () => metadata.transaction((tx) => idempotency.prune(tx))
    assert.deepEqual([await prune(), await prune(), await prune()], [1000, 500, 0])
    assert.deepEqual(await keys(), ['key'])
    clock.advance(1)
    assert.deepEqual([await prune(), await prune()], [1, 0])
  })
})
