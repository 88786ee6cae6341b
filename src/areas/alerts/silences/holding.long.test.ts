// Both: what holds alerts back is read from the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { parseTextPattern } from '../../../data/glob.ts'
import { toIso } from '../../../engines/clock.ts'
import { newAlert } from '../history/new-alert.ts'
import { insertAlerts } from '../history/store.ts'
import type { AlertRow } from '../migrations.ts'
import { matchedLabels } from '../notifications/labels.ts'
import { readHolding } from './holding.ts'
import type { InhibitionRow, SilenceRow } from './migrations.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const STAMPS = { version: 1, created_at: toIso(NOW), updated_at: toIso(NOW), created_by: 'usr_a' }

type Texts = Record<string, string>

const alertRow = (id: string, labels: Texts, more: Partial<AlertRow> = {}): AlertRow => ({
  ...newAlert({
    id,
    rule_id: 'alr_a',
    rule_name: 'oil',
    labels: JSON.stringify(labels),
    annotations: '{}',
    severity: 'warning',
    value: null,
    threshold: null,
    operator: null,
    cause: null,
    started_at: toIso(NOW)
  }),
  ...more
})

const silenceRow = (id: string, matchers: Texts, fromMs: number, toMs: number): SilenceRow => ({
  id,
  matchers: JSON.stringify(matchers),
  reason: 'r',
  starts_at: toIso(NOW + fromMs),
  ends_at: toIso(NOW + toMs),
  ...STAMPS
})

const inhibitionRow = (id: string, source: Texts, target: Texts, equal: string[], enabled = 1): InhibitionRow => ({
  id,
  name: id,
  source: JSON.stringify(source),
  target: JSON.stringify(target),
  equal: JSON.stringify(equal),
  enabled,
  ...STAMPS
})

const text = fc.constantFrom('', 'a', 'ab', 'b', 'a/b', '[ab]')
const pattern = fc.oneof(text, fc.constantFrom('*', 'a*', '?', '[ab]', '**', 'oil', 'w*'))
const name = fc.constantFrom('x', 'y', 'rule', 'severity', 'constructor')
const matchers = fc.dictionary(name, pattern, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
const labels = fc.dictionary(fc.constantFrom('x', 'y', 'constructor'), text, { noNullPrototype: true })

const naiveMatch = (wanted: Texts, has: Texts) =>
  Object.entries(wanted).every(([label, wantedText]) => {
    const value = Object.entries(has).find(([other]) => other === label)?.[1] ?? ''
    return value === wantedText || parseTextPattern(wantedText).matches(value)
  })

describe('what holds alerts back', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  async function fill(alerts: AlertRow[], silences: SilenceRow[], inhibitions: InhibitionRow[]) {
    const { metadata } = test.platform
    await metadata.transaction(async (tx) => {
      await tx.deleteFrom('alert_labels').execute()
      await tx.deleteFrom('alerts').execute()
      await tx.deleteFrom('alert_silences').execute()
      await tx.deleteFrom('alert_inhibitions').execute()
      await insertAlerts(tx, alerts)
      for (const row of silences) await tx.insertInto('alert_silences').values(row).execute()
      for (const row of inhibitions) await tx.insertInto('alert_inhibitions').values(row).execute()
    })
    return readHolding(metadata.db, NOW)
  }

  it('is what a look at each silence and at each pair of alerts finds', async () => {
    const span = fc.tuple(fc.integer({ min: -3, max: 1 }), fc.integer({ min: 0, max: 3 }))
    const state = fc.constantFrom('firing', 'acknowledged', 'resolved')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(labels, state, fc.constantFrom('info', 'warning')), { maxLength: 6 }),
        fc.array(fc.tuple(matchers, span), { maxLength: 2 }),
        fc.array(fc.tuple(matchers, matchers, fc.uniqueArray(name, { maxLength: 2 }), fc.nat(4)), { maxLength: 3 }),
        async (some, quiet, holders) => {
          const alerts = some.map(([has, stands, severity], i) =>
            alertRow(`alt_${i}`, has, { state: stands, severity } as Partial<AlertRow>)
          )
          const silences = quiet.map(([wanted, [from, length]], i) =>
            silenceRow(`sil_${i}`, wanted, from, from + length)
          )
          const inhibitions = holders.map(([source, target, equal, off], i) =>
            inhibitionRow(`inh_${i}`, source, target, equal, Number(off > 0))
          )
          const holding = await fill(alerts, silences, inhibitions)
          for (const alert of alerts.filter((row) => row.state !== 'resolved')) {
            const has = matchedLabels(alert)
            const silencing = quiet.flatMap(([wanted, [from, length]], i) =>
              from <= 0 && from + length > 0 && naiveMatch(wanted, has) ? [`sil_${i}`] : []
            )
            const inhibiting = holders.flatMap(([source, target, equal, off], i) => {
              const isHeld = alerts.some((other) => {
                const others = matchedLabels(other)
                const isTwoSided = naiveMatch(source, has) && naiveMatch(target, others)
                const agrees = equal.every((label) => naiveEqual(has, others, label))
                return (
                  other.id !== alert.id &&
                  other.state !== 'resolved' &&
                  naiveMatch(source, others) &&
                  agrees &&
                  !isTwoSided
                )
              })
              return off > 0 && naiveMatch(target, has) && isHeld ? [`inh_${i}`] : []
            })
            const heldBy = holding.heldBy(alert)
            if (silencing.length > 0) assert.ok(silencing.includes(heldBy?.id ?? ''), JSON.stringify(heldBy))
            else assert.equal(heldBy?.id, inhibiting[0])
          }
        }
      ),
      { numRuns: 100 }
    )
  })

  it('is found at once for many alerts', async () => {
    const alerts = Array.from({ length: 10_000 }, (_, i) =>
      alertRow(`alt_${i}`, { line: `${i % 100}`, tag: `tag-${i}` })
    )
    const silences = Array.from({ length: 200 }, (_, i) =>
      silenceRow(`sil_${i}`, i % 2 ? { tag: `tag-${i}*` } : { line: `${i}`, tag: '*5' }, -1, 1000)
    )
    const inhibitions = Array.from({ length: 50 }, (_, i) =>
      inhibitionRow(`inh_${i}`, { tag: `tag-${i}` }, { tag: `tag-9${i}*` }, ['line'])
    )
    await fill(alerts, silences, inhibitions)
    const beforeMs = performance.now()
    const holding = await readHolding(test.platform.metadata.db, NOW)
    const held = alerts.filter((alert) => holding.heldBy(alert) !== undefined)
    const tookMs = performance.now() - beforeMs
    assert.ok(held.length > 100)
    // A tenth of it on a machine that does nothing else.
    assert.ok(tookMs < 5000, `${tookMs} ms`)
  })
})

function naiveEqual(one: Texts, other: Texts, label: string): boolean {
  const shown = (has: Texts) => Object.entries(has).find(([found]) => found === label)?.[1] ?? ''
  return shown(one) === shown(other)
}
