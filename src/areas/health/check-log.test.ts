import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { createLog } from '../../engines/log.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { HealthService } from './service.ts'

const START = '2026-01-01T00:00:00.000Z'

describe('what health logs', () => {
  let clock: ManualClock
  let lines: string[]
  let wrong: Error | undefined
  let look: () => Promise<Record<string, unknown>>

  beforeEach(() => {
    clock = new ManualClock(START)
    lines = []
    wrong = undefined
    const run = async () => {
      if (wrong !== undefined) throw wrong
    }
    const log = createLog('info', { write: (line: string) => void lines.push(line) })
    const checks = [{ name: 'some', vital: false, run }]
    const service = new HealthService({ clock, log, lifecycle: { phase: 'ready' }, version: '1', checks })
    look = async () => {
      clock.advance(1000)
      const { checks } = await service.health()
      return (checks as { some: Record<string, unknown> }).some
    }
  })

  const logged = () => lines.splice(0).map((line) => JSON.parse(line))
  const lookTimes = async (times: number) => {
    for (let time = 0; time < times; time++) await look()
  }

  it('is that a check changes, and else a line a minute, without a stack for what is told in words', async () => {
    await look()
    assert.deepEqual(logged(), [])
    wrong = new HealthProblem('it is away', { cause: new Error('', { cause: { code: 'ECONNREFUSED' } }) })
    const { status, message, since } = await look()
    assert.deepEqual([status, message, since], ['degraded', 'it is away', '2026-01-01T00:00:02.000Z'])
    const [failed, ...others] = logged()
    assert.deepEqual(others, [])
    assert.deepEqual([failed.msg, failed.check, failed.why], ['a health check failed', 'some', 'it is away'])
    assert.match(failed.reason, /ECONNREFUSED/)
    assert.doesNotMatch(JSON.stringify(failed), /stack|check-log\.test/)
    await lookTimes(59)
    assert.deepEqual(logged(), [])
    assert.equal((await look()).since, since)
    assert.deepEqual(
      logged().map((line) => [line.msg, line.since]),
      [['a health check still fails', since]]
    )
    wrong = undefined
    assert.deepEqual(Object.keys(await look()).sort(), ['ms', 'status'])
    const [ended] = logged()
    assert.deepEqual([ended.msg, ended.since, ended.lastedMs], ['a health check is ok again', since, 61_000])
    await lookTimes(100)
    assert.deepEqual(logged(), [])
  })

  it('is another reason at once, and other figures only when their minute has come', async () => {
    wrong = new HealthProblem('7 bytes left')
    const { since } = await look()
    wrong = new HealthProblem('6 bytes left')
    await look()
    wrong = new HealthProblem('lost')
    assert.equal((await look()).since, since, 'it was not ok all the while')
    assert.deepEqual(
      logged().map(({ why }) => why),
      ['7 bytes left', 'lost']
    )
  })

  it('is the reason behind words that health itself has found, without a stack', async () => {
    wrong = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
    const { message } = await look()
    assert.equal(message, 'some could not be looked at: the database does not answer (see metadata)')
    const [failed] = logged()
    assert.deepEqual([failed.why, failed.reason, failed.err], [message, wrong.message, undefined])
  })

  it('is the stack of what nobody foresaw, once', async () => {
    wrong = new TypeError('no such thing')
    await lookTimes(61)
    const [failed, lasts] = logged()
    assert.match(failed.err.stack, /check-log\.test/)
    assert.deepEqual([lasts.reason, lasts.err], ['no such thing', undefined])
  })
})
