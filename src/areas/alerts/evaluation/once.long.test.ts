// Both: leases and transactions keep several replicas from doing the same.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertsOf, evaluateAfter, makeRule, readRule } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { postgresUrl } from '../../../../test/support/database.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { LeaseLost } from '../../../engines/jobs/index.ts'
import { noNotices } from '../notices.ts'
import { Evaluator } from './evaluator.ts'
import { Totals } from './totals.ts'

const RULE = { condition: { event: 'job.given-up', filter: { kind: 'made-up.*' } }, intervalSeconds: 10 }

/** A job that was given up, as the engine leaves it. */
async function giveUp({ platform: { metadata, clock, makeId } }: TestApp, kind: string): Promise<void> {
  await metadata.transaction((tx) =>
    tx
      .insertInto('jobs')
      .values({
        id: makeId('job'),
        kind,
        unique_key: null,
        state: 'failed',
        payload: 'null',
        run_at: clock.iso(),
        every_ms: null,
        max_attempts: 1,
        timeout_ms: 1000,
        deadline_at: null,
        lease_owner: null,
        lease_until: null,
        progress_note: null,
        result: null,
        error: JSON.stringify({ code: 'broken', message: 'no' }),
        created_at: clock.iso(),
        started_at: clock.iso(),
        finished_at: clock.iso()
      })
      .execute()
  )
}

describe('evaluations on several replicas', () => {
  // Only PostgreSQL has several servers; an embedded database has one.
  if (postgresUrl !== undefined) {
    it('are made once, whichever makes them', async () => {
      const clock = new ManualClock()
      const test = await startTestApp({ clock })
      const other = await startTestApp({ clock, database: test.database })
      try {
        const { id } = await makeRule(test, { name: 'given up', ...RULE })
        await giveUp(test, 'made-up.work')
        for (let n = 0; n < 12; n++) await evaluateAfter(test, clock, id, 10_000)
        assert.equal((await alertsOf(test, id)).length, 1)
        const { next_ms, interval_ms } = await test.platform.metadata.db
          .selectFrom('alert_rules')
          .select(['next_ms', 'interval_ms'])
          .executeTakeFirstOrThrow()
        const totals = await Promise.all([test, other].map(async ({ app }) => (await app.service('alerts')).totals))
        const evaluations = totals.reduce((sum, { succeeded }) => sum + succeeded, 0)
        // One when it was made, and then at most one in each interval.
        assert.ok(
          evaluations >= 12 && evaluations <= 1 + next_ms / interval_ms - Date.parse('2026-01-01') / interval_ms
        )
      } finally {
        await other.app.stop()
        await other.platform.close()
        await test.close()
      }
    })
  }

  it('change nothing where the lease was lost before they are written', async () => {
    const clock = new ManualClock()
    const test = await startTestApp({ clock })
    try {
      const { id } = await makeRule(test, { name: 'given up', ...RULE, enabled: false })
      const table = { reference: 'object://a/b.csv', sql: 'SELECT 1 AS value', operator: '>', threshold: 0 }
      const faulty = await makeRule(test, {
        name: 'faulty',
        condition: { event: 'pipeline-run.failed' },
        enabled: false
      })
      const slow = await makeRule(test, { name: 'slow', condition: table, enabled: false })
      await giveUp(test, 'made-up.work')
      const { platform } = test
      await platform.metadata.transaction((tx) => tx.updateTable('alert_rules').set({ enabled: 1 }).execute())
      const told: string[] = []
      const evaluator = new Evaluator({
        ...platform,
        plane: { query: () => assert.fail() },
        sourceExists: async () => true,
        guard: async () => ({ maskForAll: async () => undefined }),
        totals: new Totals(),
        notices: {
          ...noNotices,
          changed: async (_tx, alerts, change) => void told.push(...alerts.map(({ state }) => `${change} ${state}`))
        },
        alertEvents: new Map([
          [
            'job.given-up',
            { about: '', labels: [], since: async () => ({ happenings: [{ kind: 'made-up.work' }], cursor: '' }) }
          ],
          ['pipeline-run.failed', { about: '', labels: [], since: async () => assert.fail('a fault') }]
        ])
      })
      const { signal } = new AbortController()
      const lost = evaluator.evaluateDue({
        signal,
        commit: (work) =>
          platform.metadata.transaction(async (tx) => {
            await work(tx)
            throw new LeaseLost('job')
          })
      })
      await assert.rejects(lost, LeaseLost)
      assert.deepEqual([(await readRule(test, id)).lastEvaluation, await alertsOf(test, id)], [null, []])
      // A rule that was changed meanwhile is left out, and evaluated again by what it says now.
      let changed = 0
      await evaluator.evaluateDue({
        signal,
        commit: (work) =>
          platform.metadata.transaction(async (tx) => {
            if (changed++ === 0) await tx.updateTable('alert_rules').set({ version: 7 }).execute()
            return work(tx)
          })
      })
      assert.deepEqual([(await readRule(test, id)).lastEvaluation, await alertsOf(test, id)], [null, []])
      await evaluator.evaluateDue({ signal, commit: (work) => platform.metadata.transaction(work) })
      assert.equal((await alertsOf(test, id)).length, 1)
      assert.equal(told.at(-1), 'fired firing')
      assert.equal((await readRule(test, faulty.id)).state, 'error', 'a fault of one event ends no others')
      assert.equal((await readRule(test, slow.id)).lastEvaluation, null, 'what reads SQL is evaluated apart')
    } finally {
      await test.close()
    }
  })
})
