import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Notes } from './report.ts'
import { refreshOf, timeRangeOf, timeZoneOf } from './times.ts'

test('ranges of Grafana are ranges of ours, and what can’t be is told', () => {
  for (const [from, to, ours, told] of [
    ['now-6h', 'now', '-6h now', 0],
    ['now-3M', 'now-1M', '-3mo -1mo', 0],
    ['now-2Q', 'now', '-6mo now', 0],
    ['now-7d/d', 'now/d', '-7d now', 2],
    ['now/w', 'now/w', '-1w now', 1],
    ['1767225600000', 1767312000000, '2026-01-01T00:00:00.000Z 2026-01-02T00:00:00.000Z', 0],
    ['2026-01-01 00:00:00', '2026-01-02', '2026-01-01T00:00:00Z 2026-01-02', 0],
    ['', undefined, '-6h now', 0],
    ['now', 'now-1h', '-6h now', 1],
    ['yesterday', 'now', '-6h now', 1],
    ['now-1h/x', 'now', '-6h now', 1]
  ] as const) {
    const notes = new Notes()
    const range = timeRangeOf({ from, to }, notes)
    assert.equal(`${range.from} ${range.to}`, ours)
    assert.equal(notes.list().length, told, String(from))
  }
})

test('refresh and zone are told where they are not known', () => {
  const refresh = (value: unknown) => [refreshOf(value, notes), notes.list().length]
  let notes = new Notes()
  assert.deepEqual(
    [refresh('5s'), refresh('1d'), refresh(false), refresh('')],
    [
      [5, 0],
      [86400, 0],
      [null, 0],
      [null, 0]
    ]
  )
  assert.deepEqual(refresh('500ms'), [null, 1])
  notes = new Notes()
  const zone = (value: unknown) => timeZoneOf(value, notes)
  assert.deepEqual(
    [zone('utc'), zone('Asia/Tokyo'), zone('browser'), zone('Moon/Base')],
    ['UTC', 'Asia/Tokyo', 'UTC', 'UTC']
  )
  assert.equal(notes.list().length, 2)
})
