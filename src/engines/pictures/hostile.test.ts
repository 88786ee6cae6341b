import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { drawDashboard } from './dashboard.ts'
import { drawPanel } from './panel.ts'
import { type Cell, type Frame, PANEL_TYPES, type PanelPicture } from './picture.ts'
import { assertSound } from './testing/inspect.ts'

const NASTY = [
  '<script>alert(1)</script>',
  '"><image href="file:///etc/passwd"/>',
  "' onload='alert(1)",
  ']]>',
  '<![CDATA[x]]>',
  '&lt;b&gt; &#0; &nope; &amp;amp;',
  '<!ENTITY x SYSTEM "file:///etc/passwd">',
  'null\u0000 bell\u0007 escape\u001b',
  'half \ud800 and \udfff',
  '\ufffe\uffff\u202eturned\u2066',
  'e\u0301'.repeat(500),
  '\u0301'.repeat(2000),
  'مرحبا '.repeat(100),
  '表'.repeat(300),
  '👩‍👩‍👧'.repeat(50)
]
const texts = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc.string({ maxLength: 20 })
)
const numbers = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.integer()
)
const cells: fc.Arbitrary<Cell> = fc.oneof(numbers, texts, fc.boolean(), fc.constant(null))
const types = fc.constantFrom('time', 'number', 'boolean', 'text' as const)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const frames: fc.Arbitrary<Frame> = fc.integer({ min: 0, max: 5 }).chain((count) =>
  fc.record({
    name: texts,
    columns: fc.array(fc.record({ name: texts, type: types, unit: texts }), { minLength: count, maxLength: count }),
    values: fc.array(fc.array(cells, { maxLength: 12 }), { maxLength: count + 1 })
  })
)
const ids = fc.constantFrom('a', 'b', 'c', 'd', '__proto__')
const options = fc.record({
  unit: maybe(texts),
  decimals: maybe(numbers),
  min: maybe(numbers),
  max: maybe(numbers),
  thresholds: fc.array(fc.record({ value: numbers, color: fc.constantFrom('green', 'red' as const) }), {
    maxLength: 4
  }),
  legend: fc.constantFrom('none', 'bottom', 'right'),
  stacked: fc.boolean(),
  logarithmic: fc.boolean(),
  connectNulls: fc.boolean(),
  horizontal: fc.boolean(),
  reachThresholds: fc.boolean(),
  sparkline: fc.boolean(),
  buckets: maybe(numbers),
  pageRows: maybe(numbers),
  text: fc.array(texts, { maxLength: 6 }).map((lines) => `# ${lines.join('\n- **')}`),
  nodes: fc.array(fc.record({ id: ids, label: texts, kind: texts }), { maxLength: 6 }),
  edges: fc.array(fc.record({ from: ids, to: ids }), { maxLength: 8 })
})
const panels = fc.record({
  type: fc.constantFrom(...PANEL_TYPES),
  title: texts,
  frames: fc.array(frames, { maxLength: 3 }),
  options,
  message: fc.option(texts, { nil: undefined, freq: 8 }),
  timeRange: maybe(fc.record({ fromMs: numbers, toMs: numbers })),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', '<nowhere>'),
  annotations: fc.array(
    fc.record({ fromMs: numbers, toMs: maybe(numbers), text: texts, kind: fc.constantFrom('alert', 'note' as const) }),
    { maxLength: 3 }
  )
}) as fc.Arbitrary<PanelPicture>
const themes = fc.constantFrom('light', 'dark' as const)

describe('a picture of anything', () => {
  it('is well-formed, holds nothing but text and shapes, and is bounded', () => {
    const sides = fc.oneof(fc.integer({ min: 1, max: 900 }), numbers)
    fc.assert(
      fc.property(panels, sides, sides, themes, (panel, width, height, theme) => {
        const { elements } = assertSound(drawPanel(panel, { width, height }, theme))
        assert.ok(elements < 3000)
      }),
      { numRuns: 300 }
    )
  })

  it('is well-formed as a part of a dashboard, wherever it is put', () => {
    const position = fc.record({ x: numbers, y: numbers, w: numbers, h: numbers })
    const placed = fc.array(fc.record({ position, panel: panels }), { maxLength: 4 })
    fc.assert(
      fc.property(placed, texts, numbers, themes, (all, title, width, theme) => {
        assertSound(drawDashboard(all, title, { width }, theme))
      }),
      { numRuns: 60 }
    )
  })

  it('shows hostile text as text', () => {
    const panel = { type: 'text', frames: [], options: {}, timeZone: 'UTC' } as const
    for (const title of ['<script>alert(1)</script>', '"><image href="x"/>', ']]>', '&lt; &amp;']) {
      const { texts } = assertSound(drawPanel({ ...panel, title }, { width: 600, height: 200 }, 'light'))
      assert.ok(texts.includes(title), `${title} in ${texts}`)
    }
  })

  it('says so where there are no data, or why not', () => {
    for (const type of PANEL_TYPES) {
      const panel = { type, title: 'T', frames: [], options: {}, timeZone: 'UTC' }
      assert.ok(assertSound(drawPanel(panel, { width: 300, height: 200 }, 'dark')).texts.includes('No data'), type)
      const failed = drawPanel({ ...panel, message: 'Not reached' }, { width: 300, height: 200 }, 'dark')
      assert.ok(assertSound(failed).texts.includes('Not reached'), type)
    }
  })
})
