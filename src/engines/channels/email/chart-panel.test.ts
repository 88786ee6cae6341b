import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawPanel } from '../../pictures/index.ts'
import { alert } from '../testing/messages.ts'
import { CHART_SIZE, chartPanel } from './chart-panel.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 7, 30 + minute)).toISOString()
const series = (values: readonly number[]) => values.map((value, i) => ({ time: at(i), value }))
const drawn = (changes: Parameters<typeof alert>[0]) => {
  const panel = chartPanel(alert(changes))
  return panel && drawPanel(panel, CHART_SIZE, 'light')
}

test('a chart has the tag, the unit, the times, and the threshold wherever it lies', () => {
  const labels = { source: 'src_1', tag: 'oil{press=2}' }
  for (const threshold of [300, -50]) {
    const svg = drawn({ labels, threshold, unit: '°C', startedAt: at(1), lastValues: series([70, 75, 82]) }) ?? ''
    assert.match(svg, />oil\{press=2\}</)
    assert.match(svg, /Jan 1, 2026 07:30 – 07:32 · UTC/)
    assert.match(svg, threshold > 0 ? />300\s°C</ : />−50\s°C</)
    assert.match(svg, /stroke-dasharray="5 4"/)
    assert.match(svg, />fired</)
  }
  // One that has just fired stands at the right edge, and its word before it.
  assert.match(drawn({ startedAt: at(2), lastValues: series([70, 75, 82]) }) ?? '', /text-anchor="end">fired</)
  assert.doesNotMatch(drawn({ threshold: null, lastValues: series([1, 2]) }) ?? '', /stroke-dasharray="5 4"/)
})

test('the unit that the rule tells comes before that of the tag', () => {
  const lastValues = series([2048, 4096])
  assert.match(drawn({ threshold: null, unit: 'V', annotations: { unit: 'bytes' }, lastValues }) ?? '', /KiB/)
})

test('less than two values are no chart', () => {
  assert.equal(drawn({ lastValues: [] }), undefined)
  assert.equal(drawn({ lastValues: series([1]) }), undefined)
  assert.equal(drawn({ lastValues: [...series([1, Number.NaN]), { time: 'never', value: 2 }] }), undefined)
})

test('whatever the values are, a chart can be drawn', () => {
  const value = fc.oneof(fc.double(), fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0))
  const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const lastValues = fc.array(fc.record({ time, value }), { maxLength: 100 })
  const threshold = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
  const changes = fc.record({
    lastValues,
    threshold,
    startedAt: fc.oneof(time, fc.string()),
    resolvedAt: fc.option(time)
  })
  fc.assert(
    fc.property(changes, (changed) => assert.doesNotMatch(drawn(changed) ?? '', /NaN|Infinity|undefined/)),
    { numRuns: 60 }
  )
})
