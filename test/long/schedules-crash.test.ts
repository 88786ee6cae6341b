// Once: it brings its own PostgreSQL, which is what replicas share.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { crashSchedules } from '../support/scheduler/crash.ts'
import { tries } from '../support/thorough.ts'

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
const KILLS = tries(8, 20)
/** Three servers and a database take more of the processor for each call, so there are fewer where time is short. */
const PLANS = [
  { name: 'a server', replicas: 1, schedules: 200, kills: KILLS, maxCalls: 150 },
  { name: 'one of three replicas', replicas: 3, schedules: tries(50, 200), kills: KILLS, maxCalls: 60 }
]

for (const { name, ...plan } of PLANS) {
  test(`no due time is lost or runs twice, though ${name} is killed ${KILLS} times (CRASH_SEED=${SEED})`, async (t) => {
    const figures = await crashSchedules({ ...plan, seed: SEED })
    t.diagnostic(JSON.stringify(figures))
    assert.ok(figures.dueTimes > plan.schedules * KILLS && figures.caughtUp > KILLS * 5)
    assert.ok(figures.cutOff > 0, 'some attempt was cut off')
  })
}
