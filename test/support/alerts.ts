import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestApp } from './app.ts'
import type { ManualClock } from './manual-clock.ts'

/** A rule, made for a test; answers it. */
export async function makeRule(test: TestApp, rule: object) {
  const { status, body, text } = await test.call('POST', '/api/alerts/rules', { as: 'editor', body: rule })
  assert.equal(status, 201, text)
  return body
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function readRule(test: TestApp, id: string): Promise<any> {
  return (await test.call('GET', `/api/alerts/rules/${id}`, { as: 'viewer' })).body
}

/** The alerts of a rule, the newest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function alertsOf(test: TestApp, ruleId: string, more = ''): Promise<any[]> {
  return (await test.call('GET', `/api/alerts/history?ruleId=${ruleId}${more}`, { as: 'viewer' })).body.alerts
}

/** The states of the instances of a rule, by label set. */
export async function statesOf(test: TestApp, ruleId: string): Promise<Record<string, string>> {
  const { body } = await test.call('GET', `/api/alerts/rules/${ruleId}/instances`, { as: 'viewer' })
  return Object.fromEntries(
    body.instances.map(({ labels, state }: { labels: Record<string, string>; state: string }) => {
      const { source: _, ...shown } = labels
      return [Object.values(shown).join(' '), state]
    })
  )
}

const MAX_STEPS = 5000
/** Looks at an evaluation under way after which the clock moves: its process may have lost it, which ends with a lease. */
const PATIENCE = 100

/**
 * Moves the clock on until a rule was evaluated so much later than now. It stands still while an evaluation is under way, so
 * that nothing takes too long on a busy machine.
 */
export async function evaluateAfter(test: TestApp, clock: ManualClock, ruleId: string, ms: number): Promise<void> {
  const fromMs = clock.now() + ms
  let waited = 0
  for (let n = 0; n < MAX_STEPS; n++) {
    const { lastEvaluation } = await readRule(test, ruleId)
    if (lastEvaluation !== null && Date.parse(lastEvaluation.at) >= fromMs) return
    waited = (await isUnderWay(test)) ? waited + 1 : PATIENCE
    if (waited >= PATIENCE) {
      clock.advance(1000)
      waited = 0
    }
    await delay(5)
  }
  assert.fail('the rule was not evaluated')
}

async function isUnderWay({ platform }: TestApp): Promise<boolean> {
  const running = await platform.metadata.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', 'like', 'alerts.%')
    .where('state', '=', 'running')
    .execute()
  return running.length > 0
}
