// Once: SQL runs in processes of its own, and objects are in stores, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { TestApp } from '../../../../test/support/app.ts'
import { get, makeBucket, namesIn, put } from '../../../../test/support/objects/client.ts'
import { startTargetApp } from '../../../../test/support/targets.ts'
import type { AreaNeeds } from '../../../area.ts'
import { Problem } from '../../../errors.ts'
import type { ScheduleTarget, TargetEnd } from '../../../schedule-target.ts'
import { targetRun } from '../testing/target-run.ts'
import { sqlTarget } from './sql.ts'
import { keyAt, unknownInKey } from './sql-config.ts'

const SALES =
  'sold,shop,amount\n2026-03-02T02:30:00Z,north,1\n2026-03-02T03:10:00Z,"a ""b"", c",2\n2026-03-02T03:20:00Z,,\n'

describe('SQL that schedules run', () => {
  let test: TestApp
  let needs: AreaNeeds
  let target: ScheduleTarget

  before(async () => {
    ;({ test, needs } = await startTargetApp({ env: { MAX_OBJECT_BYTES: '100000' } }))
    target = sqlTarget(needs)
    await makeBucket(test, 'sales')
    await makeBucket(test, 'reports')
    await put(test, 'sales', 'march.csv', SALES)
  })
  after(() => test.close())

  const configOf = (more: object = {}, into: object = {}) => ({
    sql: 'SELECT * FROM s WHERE sold >= $previous_due_at AND sold < $due_at ORDER BY sold',
    relations: { s: 'object://sales/*.csv' },
    ...more,
    into: { bucket: 'reports', key: 'r-{dueAt}.csv', format: 'csv', ...into }
  })
  const run = (config: object, more: object = {}) =>
    target.run(targetRun({ config: config as never, ...more }, needs)) as Promise<TargetEnd>
  /** What it has told the lineage. */
  function toldBy(end: TargetEnd): string[] {
    const { inputs, outputs, columns } = ('lineage' in end && end.lineage) || assert.fail()
    const names = [inputs, outputs].map((data) => data.map(({ reference }) => reference).join())
    return [names.join(' → '), ...columns.map(({ from, to, kind }) => `${from.column} → ${to.column} ${kind}`)]
  }
  const textOf = async (key: string) => String((await get(test, 'reports', key)).bytes)
  const faultsOf = async (config: object) => {
    try {
      await target.check?.({ config: config as never })
      return []
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return (error.errors ?? []).map(({ pointer, message }) => [pointer.replace('/target/config', ''), message])
    }
  }

  it('writes the rows between two due times, and the same object when it is done again', async () => {
    const key = 'r-20260302T040000Z.csv'
    const expected = 'sold,shop,amount\r\n2026-03-02T03:10:00.000Z,"a ""b"", c",2\r\n2026-03-02T03:20:00.000Z,,\r\n'
    for (const attempt of [1, 2]) {
      const end = await run(configOf(), { attempt })
      const message = `2 rows, ${expected.length} bytes in object://reports/${key}`
      assert.deepEqual([end.outcome, end.message], ['succeeded', message])
      assert.deepEqual(toldBy(end), [
        'object://sales/*.csv → object://reports/r-*.csv',
        ...['sold → sold identity', 'shop → shop identity', 'amount → amount identity'],
        'sold → null filtered'
      ])
      assert.equal(await textOf(key), expected)
    }
    assert.deepEqual(await namesIn(test, 'reports'), [key])
    const { body } = await test.call('GET', `/api/audit/logs?resourceId=reports/${key}`, { as: 'admin' })
    assert.equal(body.logs.length, 2)
    assert.deepEqual(body.logs[0].user, { id: 'usr_owner', name: 'owner' })
  })

  it('writes lines of JSON, with parameters of its own', async () => {
    const sql =
      'SELECT shop, [amount, $extra] AS both, $due_at::TIMESTAMP - INTERVAL 1 DAY AS day FROM s ORDER BY sold LIMIT 1'
    const config = configOf({ sql, parameters: { extra: 7 } }, { key: '{date}/{time}.ndjson', format: 'ndjson' })
    assert.deepEqual(await faultsOf(config), [])
    assert.equal((await run(config)).outcome, 'succeeded')
    assert.equal(
      await textOf('2026-03-02/040000.ndjson'),
      '{"shop":"north","both":[1,7],"day":"2026-03-01T04:00:00.000Z"}\n'
    )
  })

  it('leaves the object of before whole where there is too much, or a row fails', async () => {
    const fixed = { key: 'fixed.csv' }
    assert.equal((await run(configOf({ sql: 'SELECT 1 AS n' }, fixed))).outcome, 'succeeded')
    const large = await run(configOf({ sql: 'SELECT range AS n FROM range(1000000)' }, fixed))
    assert.deepEqual(
      [large.outcome, 'code' in large && large.code, 'isFinal' in large && large.isFinal],
      ['failed', 'payload_too_large', true]
    )
    const sql = "SELECT CASE WHEN range = 20000 THEN error('no') ELSE range END AS n FROM range(30000)"
    const broken = await run(configOf({ sql }, fixed))
    assert.deepEqual([broken.outcome, 'code' in broken && broken.code], ['failed', 'sql_error'])
    assert.equal(await textOf('fixed.csv'), 'n\r\n1\r\n')
  })

  it('refuses an answer that is cut', async () => {
    const { plane } = needs
    const query: typeof plane.query = (asked) => plane.query({ ...asked, limits: { maxRows: 10 } })
    const short = sqlTarget({ ...needs, plane: { ...plane, query } })
    const config = configOf({ sql: 'SELECT range AS n FROM range(11)' }, { key: 'cut.csv' })
    const end = (await short.run(targetRun({ config: config as never }, needs))) as TargetEnd
    assert.deepEqual([end.outcome, 'code' in end && end.code], ['failed', 'too_large'])
    assert.equal((await namesIn(test, 'reports')).includes('cut.csv'), false)
  })

  it('tries again what time may mend, such as objects that are not there yet', async () => {
    const config = configOf({ relations: { s: 'object://sales/april-*.csv' } })
    assert.deepEqual(await faultsOf(config), [])
    const end = await run(config)
    assert.deepEqual(['code' in end && end.code, 'isFinal' in end && end.isFinal], ['nothing_matches', false])
  })

  it('names a bucket that is gone, and says what to do', async () => {
    const read = await run(configOf({ relations: { s: 'object://gone/*.csv' } }))
    const written = await run(configOf({}, { bucket: 'gone' }))
    const messageOf = (end: TargetEnd) => ('code' in end ? `${end.code}: ${end.message}` : end.outcome)
    const advice = 'not_found: There is no bucket gone any more; make it again, or give the schedule another one in'
    assert.deepEqual([messageOf(read), messageOf(written)], [`${advice} relations`, `${advice} into`])
  })

  it('ends when its run is to end', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'))
    await assert.rejects(run(configOf(), { signal }), /cancelled/)
  })

  it('refuses at once what could never run, each by its field', async () => {
    assert.deepEqual(await faultsOf(configOf()), [])
    const pointers = async (config: object) => (await faultsOf(config)).map(([pointer]) => pointer)
    assert.deepEqual(await pointers(configOf({ relations: { s: 'file:///etc/passwd' } })), ['/relations/s'])
    assert.deepEqual(await pointers(configOf({ parameters: { due_at: 1 } })), ['/parameters/due_at'])
    assert.deepEqual(await pointers(configOf({}, { bucket: 'none' })), ['/into/bucket'])
    assert.deepEqual(await pointers(configOf({}, { key: 'a-{now}' })), ['/into/key'])
    assert.deepEqual(await pointers(configOf({ sql: 'SELECT 1 AS a, 2 AS a' })), ['/sql'])
    assert.deepEqual(await pointers(configOf({ sql: 'DELETE FROM s' })), ['/sql'])
    assert.deepEqual(await pointers(configOf({ sql: 'SELECT $missing' })), ['/sql'])
    assert.deepEqual(await pointers(configOf({ sql: "SELECT '$due_at'" })), ['/sql'])
    const [[pointer, message] = []] = await faultsOf(configOf({ sql: 'SELECT nonsense FROM s' }))
    assert.equal(pointer, '/sql')
    assert.match(String(message), /nonsense/)
  })
})

it('a due time has one key, and no other has it', () => {
  const due = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(due, due, (one, other) => {
      const keys = [one, other].map((date) => keyAt('a/{dueAt}', date.toISOString()))
      assert.equal(keys[0] === keys[1], one.getTime() === other.getTime())
      const parts = [one, other].map((date) => keyAt('{date}T{time}', date.toISOString()))
      assert.equal(parts[0] === parts[1], one.getTime() === other.getTime())
    })
  )
  assert.equal(unknownInKey('{date}/{time}-{dueAt}.csv'), undefined)
  assert.equal(unknownInKey('a{b}'), '{b}')
  assert.equal(unknownInKey('{date'), '{date')
})
