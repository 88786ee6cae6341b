import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../test/support/manual-clock.ts'
import { createLog } from './engines/log.ts'
import { withOutagesSummed } from './outage-log.ts'

function setUp() {
  const clock = new ManualClock()
  const lines: string[] = []
  const log = withOutagesSummed(createLog('info', { write: (line: string) => void lines.push(line) }), clock)
  const told = () =>
    lines.splice(0).map((line) => {
      const { level, msg, count, reason, err } = JSON.parse(line)
      return [level, msg, err?.message ?? reason, count]
    })
  return { clock, log, told }
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

it('a database that is away is told once by each that meets it, then as a sum a minute', () => {
  const { clock, log, told } = setUp()
  for (let n = 0; n < 40; n++) {
    log.error({ err: away() }, 'jobs are waiting')
    log.warn({ err: away(), part: `part ${n}` }, 'a part is left out')
  }
  assert.deepEqual(told(), [
    [50, 'jobs are waiting', 'connect ECONNREFUSED', undefined],
    [40, 'a part is left out', 'connect ECONNREFUSED', undefined]
  ])
  clock.advance(60_000)
  assert.deepEqual(told(), [
    [50, 'again: jobs are waiting', 'connect ECONNREFUSED', 39],
    [40, 'again: a part is left out', 'connect ECONNREFUSED', 39]
  ])
  clock.advance(60_000)
  log.error({ err: away() }, 'jobs are waiting')
  assert.equal(told().length, 1, 'after a quiet minute it is news again')
})

it('what is wrong otherwise is told each time', () => {
  const { log, told } = setUp()
  for (let n = 0; n < 3; n++) {
    log.error({ err: new Error('no') }, 'it failed')
    log.warn({ n }, 'look')
    log.info({ n }, 'fine')
  }
  assert.equal(told().length, 9)
})
