// Once: it brings its own PostgreSQL, which is what replicas share.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { crashAlerts } from '../support/alerting/crash.ts'
import { tries } from '../support/thorough.ts'

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
const KILLS = tries(6, 10)
const PLANS = [
  { name: 'a server', replicas: 1 },
  { name: 'one of three replicas', replicas: 3 }
]

for (const { name, replicas } of PLANS) {
  test(`nobody is told twice or not at all, though ${name} is killed ${KILLS} times (CRASH_SEED=${SEED})`, async (t) => {
    const figures = await crashAlerts({ replicas, rules: 20, kills: KILLS, seed: SEED })
    t.diagnostic(JSON.stringify(figures))
    assert.ok(figures.alerts > KILLS * 10 && figures.deliveries > KILLS * 20)
    assert.ok(figures.cutOff > 0, 'some attempt was cut off')
  })
}
