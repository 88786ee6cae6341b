import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawDashboard } from './dashboard.ts'
import { drawPanel } from './panel.ts'
import { type Cell, type Frame, PANEL_TYPES, type PanelPicture } from './picture.ts'
import { assertSound } from './testing/inspect.ts'

const SIZE = { width: 800, height: 400 }
const MAX_CPU_MS = 2000
const MEGABYTE = 'W'.repeat(1_000_000)
const START = Date.UTC(2026, 0, 1)

const panelOf = (
  type: PanelPicture['type'],
  frames: readonly Frame[],
  more: Partial<PanelPicture> = {}
): PanelPicture => ({
  type,
  title: 'Much',
  frames,
  options: {},
  timeZone: 'UTC',
  ...more
})

/** With so many series and times, and a peak. */
function frames(series: number, times: number): Frame[] {
  const xs = Array.from({ length: times }, (_, i) => START + i * 1000)
  return Array.from({ length: series }, (_, s) => {
    const ys: Cell[] = xs.map((_, i) => (i === 777 ? 1000 : Math.sin(i / 1000 + s)))
    return {
      name: `series ${s}`,
      columns: [
        { name: 'time', type: 'time' },
        { name: 'value', type: 'number' }
      ],
      values: [xs, ys]
    }
  })
}

/** What it took of the processor. */
function drawn(panel: PanelPicture): { svg: string; cpuMs: number } {
  const before = process.cpuUsage()
  const svg = drawPanel(panel, SIZE, 'light')
  const { user, system } = process.cpuUsage(before)
  return { svg, cpuMs: (user + system) / 1000 }
}

const pointsIn = (svg: string) => svg.match(/[ML]-?[\d.]+ -?[\d.]+/g)?.length ?? 0

describe('a picture of very much', () => {
  it('has a bounded number of points and elements, and takes a bounded time', () => {
    for (const type of PANEL_TYPES) {
      for (const given of [frames(1, 400_000), frames(400, 300)]) {
        for (const stacked of [false, true]) {
          const more = stacked ? { logarithmic: true, horizontal: true, buckets: 200, connectNulls: true } : {}
          const { svg, cpuMs } = drawn(panelOf(type, given, { options: { stacked, text: 'x', ...more } }))
          assert.ok(pointsIn(svg) <= 45_000, `${type}: ${pointsIn(svg)} points`)
          assert.ok(assertSound(svg).elements <= 7000, type)
          assert.ok(svg.length < 1_500_000, `${type}: ${svg.length} characters`)
          assert.ok(cpuMs < MAX_CPU_MS, `${type}: ${cpuMs} ms`)
        }
      }
    }
  })

  it('still shows the peak, and says how many series it leaves out of its legend', () => {
    const { svg } = drawn(panelOf('line', frames(1, 400_000)))
    // 1000 is the end of the axis, so the peak is at the top.
    assert.match(svg, /L[\d.]+ 0L/)
    const { texts } = assertSound(drawn(panelOf('line', frames(400, 10))).svg)
    assert.match(texts.at(-1) as string, /^and 3\d\d more$/)
  })

  it('is drawn of very long texts', () => {
    const frame: Frame = {
      name: MEGABYTE,
      columns: [
        { name: MEGABYTE, type: 'text' },
        { name: 'n', type: 'number', unit: MEGABYTE }
      ],
      values: [
        [MEGABYTE, MEGABYTE],
        [1, 2]
      ]
    }
    const nodes = Array.from({ length: 2000 }, (_, i) => ({ id: `${i}`, label: MEGABYTE.slice(i), kind: `${i}` }))
    const edges = nodes.map((_, i) => ({ from: `${i}`, to: `${(i * 7) % 2000}` }))
    const options = { text: `${MEGABYTE}\n**${'[x]('.repeat(100_000)}`, unit: MEGABYTE, nodes, edges }
    for (const type of PANEL_TYPES) {
      const { svg, cpuMs } = drawn(panelOf(type, [frame], { title: MEGABYTE, options }))
      assert.ok(assertSound(svg).elements < 3000 && svg.length < 200_000, `${type}: ${svg.length}`)
      assert.ok(cpuMs < MAX_CPU_MS, `${type}: ${cpuMs} ms`)
    }
  })

  it('has at most 100 panels as a dashboard, and says so', () => {
    const panels = Array.from({ length: 130 }, (_, i) => ({
      position: { x: 0, y: i * 4, w: 12, h: 4 },
      panel: panelOf('stat', frames(1, 5))
    }))
    const { texts } = assertSound(drawDashboard(panels, 'Many', { width: 900 }, 'dark'))
    assert.ok(texts.includes('30 more panels are not shown'))
  })
})
