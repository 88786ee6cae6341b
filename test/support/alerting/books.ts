import assert from 'node:assert/strict'
import type { AlertRow } from '../../../src/areas/alerts/migrations.ts'
import type { Log, Logged } from './log.ts'
import type { Call } from './receiver.ts'

/** Between two messages of a group, as the channels of the crash tests have it. */
export const INTERVAL_MS = 10_000
/** From when a group may speak to when it does: a server that starts, leases of the one before, and the sweep. */
const SLACK_MS = 30_000

export interface CallFigures {
  readonly calls: number
  readonly repeated: number
  readonly cutOff: number
  readonly failed: number
}

/** Each message in the log was got, as often as its attempts say; only one that was cut off may have been got or not. */
export function checkCalls(calls: readonly Call[], { deliveries }: Log): CallFigures {
  const got = Map.groupBy(calls, ({ key }) => key)
  const known = new Set(deliveries.map(({ id }) => id))
  assert.deepEqual(
    [...got.keys()].filter((key) => !known.has(key)),
    [],
    'got, and in no log'
  )
  for (const { id, state, attempts, tries, about } of deliveries) {
    const own = got.get(id) ?? []
    const outcomes = tries.map(({ number, outcome, status }) => `${number} ${outcome} ${status}`)
    const told = `${id}, got ${own.map(({ status }) => status)}, with ${outcomes}`
    assert.deepEqual([state, attempts], ['sent', tries.length], told)
    for (const [at, { number, outcome, status }] of tries.entries()) {
      const isLast = at === tries.length - 1
      assert.equal(number, at + 1, told)
      assert.ok(isLast ? outcome === 'sent' && status === 200 : outcome === 'unknown' || status === 503, told)
    }
    const cutOff = tries.filter(({ outcome }) => outcome === 'unknown').length
    assert.ok(own.length >= tries.length - cutOff && own.length <= tries.length, told)
    const refusals = own.filter(({ status }) => status === 503).length
    const noted = tries.filter(({ status }) => status === 503).length
    assert.ok(refusals >= noted && refusals <= noted + cutOff, told)
    assert.equal(new Set(own.map(({ text }) => text)).size, 1, `${id} says the same each time`)
    checkText(own[0]?.text as string, about, id)
  }
  const of = (wanted: string) => deliveries.flatMap(({ tries }) => tries).filter(({ outcome }) => outcome === wanted)
  const repeated = [...got.values()].filter((own) => own.length > 1).length
  return { calls: calls.length, repeated, cutOff: of('unknown').length, failed: of('failed').length }
}

function checkText(text: string, about: Logged['about'], id: string): void {
  const { alerts } = JSON.parse(text) as { alerts: { id: string; state: string }[] }
  assert.deepEqual(
    alerts.map((alert) => `${alert.id} ${alert.state}`).sort(),
    about.map(({ alert_id, state }) => `${alert_id} ${state}`).sort(),
    `what ${id} is about`
  )
}

/** No message of a group comes before one that was made earlier, nor after one that was made later. */
export function checkOrder(calls: readonly Call[], { deliveries }: Log): void {
  for (const [groupKey, own] of Map.groupBy(deliveries, (delivery) => delivery.groupKey)) {
    const ids = own.map(({ id }) => id)
    const keys = calls.map(({ key }) => key).filter((key) => ids.includes(key))
    const turns = keys.filter((key, at) => key !== keys[at - 1])
    assert.deepEqual(turns, ids, `the order of ${groupKey}`)
    for (const [at, { id, created_at }] of own.entries()) {
      const before = own[at - 1]
      if (before === undefined) continue
      assert.ok(Date.parse(created_at) - Date.parse(before.created_at) >= INTERVAL_MS, `${id} keeps the interval`)
      assert.ok(created_at >= (before.ended_at as string), `${id} waits for the one before`)
    }
  }
}

/** Each message tells something that the channel did not know; that something is over is told once, and last. */
export function checkNews({ deliveries }: Log): void {
  for (const own of Map.groupBy(deliveries, ({ groupKey }) => groupKey).values()) {
    const known = new Map<string, string>()
    for (const { id, about } of own) {
      const news = about.filter(({ alert_id, state }) => known.get(alert_id) !== state)
      assert.ok(news.length > 0, `${id} tells nothing new`)
      for (const { alert_id, state } of about) {
        assert.notEqual(known.get(alert_id), 'resolved', `${id} tells of ${alert_id}, which was over`)
        assert.ok(state === 'firing' || known.has(alert_id), `${id} tells the end of ${alert_id} alone`)
        known.set(alert_id, state)
      }
    }
    for (const [alertId, state] of known) assert.equal(state, 'resolved', `the end of ${alertId}`)
  }
}

/** Every alert was told to each channel of its rule, or was over before that could be; answers how many were. */
export function checkAlerts({ alerts, routes, deliveries }: Log): { readonly alerts: number; readonly untold: number } {
  checkHistory(alerts)
  const byChannel = Map.groupBy(deliveries, ({ channel_id }) => channel_id)
  let untold = 0
  for (const alert of alerts) {
    for (const { channel_id } of routes.filter(({ rule_id }) => rule_id === alert.rule_id)) {
      const own = byChannel.get(channel_id) ?? []
      // What was told at all has an end that was told, see `checkNews`.
      if (own.some(({ about }) => about.some(({ alert_id }) => alert_id === alert.id))) continue
      untold += 1
      const group = own.filter(({ groupKey }) => isOf(alert, groupKey))
      const lateMs = Date.parse(alert.resolved_at as string) - speaksFrom(alert, group)
      assert.ok(lateMs < SLACK_MS, `${alert.id} was never told to ${channel_id}, which had ${lateMs} ms for it`)
    }
  }
  return { alerts: alerts.length, untold }
}

/** All are over, and no two about the same were open at once. */
function checkHistory(alerts: readonly AlertRow[]): void {
  for (const [about, own] of Map.groupBy(alerts, ({ rule_id, labels }) => `${rule_id} ${labels}`)) {
    for (const [at, { id, state, started_at }] of own.entries()) {
      assert.equal(state, 'resolved', `${id} of ${about}`)
      const before = own[at - 1]
      if (before !== undefined) assert.ok(started_at > (before.resolved_at as string), `${id} and ${before.id}`)
    }
  }
}

/** Whether a group is the one that an alert belongs to. */
function isOf({ labels, rule_name }: AlertRow, groupKey: string): boolean {
  const own: Record<string, string> = { ...(JSON.parse(labels) as object), rule: rule_name }
  const key = JSON.parse(groupKey.slice(groupKey.indexOf('/') + 1)) as [string, string][]
  return key.every(([name, value]) => own[name] === value)
}

/** When a group may first tell of an alert: after the messages that were made while it was open. */
function speaksFrom({ started_at, resolved_at }: AlertRow, group: readonly Logged[]): number {
  const before = group.filter(({ created_at }) => created_at <= (resolved_at as string))
  const free = before.flatMap(({ created_at, ended_at }) => [
    Date.parse(ended_at as string),
    Date.parse(created_at) + INTERVAL_MS
  ])
  return Math.max(Date.parse(started_at), ...free)
}
