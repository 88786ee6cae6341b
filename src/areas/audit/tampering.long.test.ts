import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { type Intruder, openIntruder, type StoredTrail } from '../../../test/support/tamper.ts'
import { anchorFile } from '../../platform.ts'
import { rowHash } from './chain.ts'
import type { AuditRow } from './migrations.ts'
import type { BadRow } from './verify.ts'

const ROWS = 200

let test: TestApp
let intruder: Intruder
let whole: StoredTrail
/** The trail when half of it was written: its heads are genuine, but old. */
let earlier: StoredTrail
/** The lane with the most rows, its rows, and the last of them that a checkpoint covers. */
let lane: number
let rows: AuditRow[]
let covered: number

before(async () => {
  test = await startTestApp({ clock: new ManualClock() })
  intruder = await openIntruder(test.database)
  await writeRows(ROWS / 2)
  await writeCheckpoints()
  earlier = await intruder.read()
  await writeRows(ROWS / 4)
  await writeCheckpoints()
  await writeRows(ROWS / 4)
  await verify() // the administrator becomes a user, which is a row of its own
  whole = await intruder.read()
  const sizes = whole.heads.map(({ seq }) => seq)
  lane = sizes.indexOf(Math.max(...sizes))
  rows = whole.logs.filter((row) => row.lane === lane)
  covered = Math.max(...whole.checkpoints.filter((row) => row.lane === lane).map(({ seq }) => seq))
})
after(async () => {
  await intruder.close()
  await test.close()
})

/** Every other row is of the same request; rows of one request share a lane, so one lane gets most of them. */
async function writeRows(count: number): Promise<void> {
  const { key } = (await test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'caller' } })).body
  const create = (n: number) =>
    test.call('POST', '/api/api-keys', {
      as: n % 4 === 0 ? { token: key } : 'editor',
      body: { name: 'k' },
      headers: { 'x-request-id': n % 2 === 0 ? 'same' : `${n}` }
    })
  await Promise.all(Array.from({ length: count }, (_, n) => create(n)))
}

/** Writes checkpoints as the server does every minute, and when it stops. */
const writeCheckpoints = async () => (await test.app.service('audit')).writeCheckpoints()

const verify = async () => (await test.call('GET', '/api/audit/verify', { as: 'admin' })).body

/** Puts the trail into the database, has it verified, and puts the genuine trail back. */
async function verdictOn(trail: StoredTrail): Promise<{ ok: boolean; firstBad: BadRow | null }> {
  await intruder.write(trail)
  const verdict = await verify()
  await intruder.write(whole)
  return verdict
}

async function assertFound(trail: Partial<StoredTrail>, seq: number, reason: BadRow['reason'], where = lane) {
  const { ok, firstBad } = await verdictOn({ ...whole, ...trail })
  assert.equal(ok, false)
  assert.deepEqual([firstBad?.lane, firstBad?.seq, firstBad?.reason], [where, seq, reason])
}

const at = (seq: number) => rows[seq - 1] as AuditRow
const middle = () => Math.floor(rows.length / 3)

/** All rows, those of the lane replaced by what `change` makes of them. */
function logs(change: (row: AuditRow) => AuditRow | readonly AuditRow[]): AuditRow[] {
  return [...whole.logs.filter((row) => row.lane !== lane), ...rows.flatMap(change)]
}

const inLane = <T extends { lane: number }>(all: readonly T[], change: (row: T) => T | readonly T[]) =>
  all.flatMap((row) => (row.lane === lane ? change(row) : row))

function forged(before: { seq: number; hash: string }, id: string): AuditRow {
  const row = { ...at(1), id, seq: before.seq + 1, previous_hash: before.hash }
  return { ...row, hash: rowHash(before.hash, row) }
}

/** Changes a row and hashes it and all later rows anew, as an attacker would who knows how. */
function rewritten(from: number): AuditRow[] {
  let last = from === 1 ? 'genesis' : at(from - 1).hash
  return logs((row) => {
    if (row.seq < from) return row
    const next = { ...row, user_name: 'Mallory', previous_hash: last }
    last = rowHash(last, next)
    return { ...next, hash: last }
  })
}

describe('verifying the audit trail', () => {
  afterEach(async () => assert.equal((await verify()).ok, true, 'put back, it is whole again'))

  it('finds it whole as it was written', async () => {
    const { ok, rowsChecked, checkpointsChecked, firstBad, elapsedMs } = await verify()
    assert.deepEqual([ok, firstBad], [true, null])
    assert.equal(rowsChecked, whole.logs.length)
    assert.ok(rowsChecked >= ROWS)
    assert.equal(checkpointsChecked, whole.checkpoints.length)
    assert.ok(elapsedMs >= 0)
  })

  it('finds any column that was changed', async () => {
    const seq = middle()
    for (const [column, value] of Object.entries(at(seq))) {
      const other = typeof value === 'number' ? value + 1000 : `${value}x`
      const changed = logs((row) => (row.seq === seq ? { ...row, [column]: other } : row))
      await assertFound({ logs: changed }, seq, column === 'seq' || column === 'lane' ? 'missing' : 'changed')
    }
  })

  it('finds a text that became nothing, and nothing that became a text', async () => {
    const seq = middle()
    for (const [column, other] of [
      ['user_name', null],
      ['changes', null],
      ['code', 'null'],
      ['user_agent', ''],
      ['api_key_id', ''],
      ['api_key_name', 'x']
    ] as const) {
      await assertFound({ logs: logs((row) => (row.seq === seq ? { ...row, [column]: other } : row)) }, seq, 'changed')
    }
  })

  it('finds two rows that changed places', async () => {
    const [one, other] = [middle(), middle() + 2]
    const place: Record<number, number> = { [one]: other, [other]: one }
    await assertFound({ logs: logs((row) => ({ ...row, seq: place[row.seq] ?? row.seq })) }, one, 'changed')
  })

  it('finds rows that were removed', async () => {
    const without = (seq: number) => logs((row) => (row.seq === seq ? [] : row))
    await assertFound({ logs: without(1) }, 1, 'missing')
    await assertFound({ logs: without(middle()) }, middle(), 'missing')
    await assertFound({ logs: without(rows.length) }, rows.length, 'cut_off')
  })

  it('finds rows that were added', async () => {
    const seq = middle()
    const extra = forged(at(seq - 1), 'aud_extra')
    const squeezed = logs((row) => (row.seq < seq ? row : { ...row, seq: row.seq + 1 }))
    await assertFound({ logs: [...squeezed, extra] }, seq + 1, 'changed')
    await assertFound({ logs: [...squeezed, { ...extra, hash: 'x' }] }, seq, 'changed')
    const last = forged(at(rows.length), 'aud_extra')
    await assertFound({ logs: [...whole.logs, last] }, rows.length + 1, 'not_ours')
    await assertFound({ logs: [...whole.logs, { ...extra, seq: 0 }] }, 0, 'not_ours')
    await assertFound({ logs: [...whole.logs, { ...extra, seq: 1, lane: 99 }] }, 1, 'not_ours', 99)
  })

  it('finds an end that was moved to cover added rows', async () => {
    const { seq, hash, ...last } = forged(at(rows.length), 'aud_extra')
    const heads = inLane(whole.heads, (head) => ({ ...head, seq, hash }))
    await assertFound({ logs: [...whole.logs, { ...last, seq, hash }], heads }, seq, 'head_altered')
  })

  it('finds a tail that was cut off: rows alone, with the heads, with the checkpoints too', async () => {
    const left = covered - 2
    const cut = logs((row) => (row.seq > left ? [] : row))
    const heads = inLane(whole.heads, (head) => ({ ...head, seq: left, hash: at(left).hash }))
    const checkpoints = inLane(whole.checkpoints, (row) => (row.seq > left ? [] : row))
    await assertFound({ logs: cut }, left + 1, 'cut_off')
    await assertFound({ logs: cut, heads }, left, 'head_altered')
    await assertFound({ logs: cut, heads, checkpoints }, left, 'head_altered')
  })

  it('finds a return to an earlier, genuine state', async () => {
    const end = earlier.heads[lane]?.seq as number
    const { heads } = earlier
    const { ok, firstBad } = await verdictOn({ ...whole, heads })
    assert.deepEqual([ok, firstBad?.reason], [false, 'cut_off'], 'the heads alone')
    const cut = {
      logs: logs((row) => (row.seq > end ? [] : row)),
      heads: inLane(whole.heads, () => heads[lane] as never)
    }
    await assertFound(cut, end + 1, 'cut_off')
    const checkpoints = inLane(whole.checkpoints, (row) => (row.seq > end ? [] : row))
    await assertFound({ ...cut, checkpoints }, end + 1, 'cut_off')
    assert.equal((await verdictOn(earlier)).ok, false)
  })

  it('finds everything gone, with fresh heads and without', async () => {
    const nothing = { logs: [], heads: [], checkpoints: [] }
    const fresh = whole.heads.map((head) => ({ ...head, seq: 0, hash: 'genesis', code: '' }))
    const firstLane = Math.min(...whole.checkpoints.map((row) => row.lane))
    await assertFound(nothing, 0, 'head_altered', 0)
    await assertFound({ ...nothing, heads: fresh }, 1, 'cut_off', firstLane)
    await assertFound({ ...nothing, heads: fresh, checkpoints: whole.checkpoints }, 1, 'cut_off', firstLane)
  })

  it('finds rows that were hashed anew', async () => {
    // The server may have written a checkpoint when there was a single row.
    const later = whole.checkpoints.filter((row) => row.lane === lane && row.seq >= 2)
    const first = Math.min(...later.map(({ seq }) => seq))
    await assertFound({ logs: rewritten(2) }, first, 'changed')
    const late = rewritten(covered + 1)
    await assertFound({ logs: late }, rows.length, 'changed')
    const hash = late.find((row) => row.lane === lane && row.seq === rows.length)?.hash as string
    await assertFound(
      { logs: late, heads: inLane(whole.heads, (head) => ({ ...head, hash })) },
      rows.length,
      'head_altered'
    )
  })

  it('finds altered heads', async () => {
    const head = (change: object) => inLane(whole.heads, (row) => ({ ...row, ...change }))
    await assertFound({ heads: head({ seq: rows.length + 1 }) }, rows.length + 1, 'head_altered')
    await assertFound({ heads: head({ hash: at(1).hash }) }, rows.length, 'head_altered')
    await assertFound({ heads: head({ code: 'x' }) }, rows.length, 'head_altered')
    await assertFound(
      { heads: head({ code: whole.heads[lane === 0 ? 1 : 0]?.code ?? '' }) },
      rows.length,
      'head_altered'
    )
    await assertFound({ heads: inLane(whole.heads, () => []) }, 0, 'head_altered')
  })

  it('finds altered checkpoints', async () => {
    const checkpoint = (change: object) =>
      inLane(whole.checkpoints, (row) => (row.seq === covered ? { ...row, ...change } : row))
    await assertFound({ checkpoints: checkpoint({ hash: at(1).hash }) }, covered, 'checkpoint_altered')
    await assertFound({ checkpoints: checkpoint({ time: '2020-01-01T00:00:00.000Z' }) }, covered, 'checkpoint_altered')
    await assertFound({ checkpoints: checkpoint({ signature: 'x' }) }, covered, 'checkpoint_altered')
    await assertFound({ checkpoints: checkpoint({ seq: covered - 1 }) }, covered - 1, 'checkpoint_altered')
    await assertFound({ checkpoints: checkpoint({ seq: 9999 }) }, 9999, 'checkpoint_altered')
    await assertFound({ checkpoints: checkpoint({ lane: 99 }) }, covered, 'checkpoint_altered', 99)
  })

  it('finds any single tampering, at the row where it was done', async () => {
    const target = fc.nat().map((n) => (n % rows.length) + 1)
    const column = fc.constantFrom(...Object.keys(at(1)).filter((name) => name !== 'lane' && name !== 'seq'))
    const text = fc.constantFrom(' ', 'x', '0', '\n', '\u00e9', '\u{1f600}', '\ufffd')
    const tampering = fc.oneof(
      fc.record({ kind: fc.constant('change' as const), seq: target, column, text }),
      fc.record({ kind: fc.constant('remove' as const), seq: target, column, text }),
      fc.record({ kind: fc.constant('swap' as const), seq: target, column, text })
    )
    const run = fc.asyncProperty(tampering, async ({ kind, seq, column, text }) => {
      const value = at(seq)[column as keyof AuditRow]
      const other = typeof value === 'number' ? value + 1 : (value ?? '') + text
      fc.pre(kind !== 'change' || other !== value)
      fc.pre(kind !== 'swap' || seq < rows.length)
      const tampered = {
        change: () => logs((row) => (row.seq === seq ? { ...row, [column]: other } : row)),
        remove: () => logs((row) => (row.seq === seq ? [] : row)),
        swap: () => logs((row) => ({ ...row, seq: row.seq === seq ? seq + 1 : row.seq === seq + 1 ? seq : row.seq }))
      }[kind]()
      const { ok, firstBad } = await verdictOn({ ...whole, logs: tampered })
      assert.deepEqual([ok, firstBad?.lane, firstBad?.seq], [false, lane, seq])
    })
    await fc.assert(run, { numRuns: 30 })
  })

  it('takes no harm from an anchor that a crash cut short, and misses nothing without the file of anchors', async () => {
    const file = anchorFile(test.platform.config)
    writeFileSync(file, '{"lane":0,"seq":99', { flag: 'a' })
    assert.equal((await verify()).ok, true)
    rmSync(file)
    assert.equal((await verify()).ok, true)
    const cut = logs((row) => (row.seq > covered - 1 ? [] : row))
    await assertFound({ logs: cut }, covered, 'cut_off')
  })
})
