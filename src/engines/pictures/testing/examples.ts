import { seeded } from '../../seeded-random.ts'
import type { Cell, Frame, PanelPicture, PictureSize } from '../picture.ts'

const HOUR = 3_600_000
const FROM_MS = Date.UTC(2026, 10, 17, 6)
const TO_MS = FROM_MS + 24 * HOUR
const timeRange = { fromMs: FROM_MS, toMs: TO_MS }
const timeZone = 'Europe/Berlin'

export interface Example {
  readonly name: string
  readonly size: PictureSize
  readonly panel: PanelPicture
}

/** A value for each of so many times of a day, the same with each run. */
export function wave(name: string, seed: number, count: number, valueAt: (part: number, noise: number) => Cell): Frame {
  const random = seeded(seed)
  const times = Array.from({ length: count }, (_, i) => FROM_MS + (i * 24 * HOUR) / count)
  const values = times.map((_, i) => valueAt(i / count, random() - 0.5))
  return {
    name,
    columns: [
      { name: 'time', type: 'time' },
      { name: 'value', type: 'number' }
    ],
    values: [times, values]
  }
}

const round = Math.sin

const line: PanelPicture = {
  type: 'line',
  title: 'Temperature of the furnaces',
  frames: [
    wave('furnace 1', 1, 96, (part, noise) => 62 + 9 * round(part * 9) + 4 * noise),
    wave('furnace 2', 2, 96, (part, noise) =>
      part > 0.41 && part < 0.5 ? null : 48 + 6 * round(part * 12 + 2) + 3 * noise
    ),
    wave('furnace 3', 3, 96, (part, noise) => 36 + 5 * round(part * 7 + 1) + 2 * noise)
  ],
  options: { unit: '°C', thresholds: [{ value: 70, color: 'red' }] },
  annotations: [
    { fromMs: FROM_MS + 5 * HOUR, text: 'Release 2.4', kind: 'deployment' },
    { fromMs: FROM_MS + 12.5 * HOUR, toMs: FROM_MS + 15 * HOUR, text: 'Furnace 1 too hot', kind: 'alert' }
  ],
  timeRange,
  timeZone
}

const area: PanelPicture = {
  type: 'area',
  title: 'Network traffic',
  frames: [
    wave('received', 4, 96, (part, noise) => 4.2e6 + 2.6e6 * round(part * 8) + 9e5 * noise),
    wave('sent', 5, 96, (part, noise) => 2.1e6 + 1.1e6 * round(part * 8 + 0.4) + 5e5 * noise),
    wave('replicated', 6, 96, (part, noise) => 1.2e6 + 4e5 * round(part * 5) + 2e5 * noise)
  ],
  options: { unit: 'bytes/s', stacked: true },
  timeRange,
  timeZone
}

const bar: PanelPicture = {
  type: 'bar',
  title: 'Records by pipeline',
  frames: [
    {
      name: '',
      columns: [
        { name: 'pipeline', type: 'text' },
        { name: 'written', type: 'number' },
        { name: 'refused', type: 'number' }
      ],
      values: [
        ['orders', 'readings', 'customers', 'invoices', 'shipments', 'returns'],
        [48_200, 91_300, 22_750, 37_400, 30_100, 8_900],
        [1_200, 8_700, 300, 4_100, 900, 2_300]
      ]
    }
  ],
  options: { unit: 'short' },
  timeZone
}

const stat: PanelPicture = {
  type: 'stat',
  title: 'Energy today',
  frames: [wave('energy', 7, 80, (part, noise) => 640 + 900 * part + 60 * noise)],
  options: {
    unit: 'kWh',
    decimals: 0,
    thresholds: [
      { value: 0, color: 'green' },
      { value: 1400, color: 'orange' }
    ]
  },
  timeRange,
  timeZone
}

const gauge: PanelPicture = {
  type: 'gauge',
  title: 'How full the silos are',
  frames: [wave('north', 8, 3, () => 63.4), wave('south', 9, 3, () => 88.2), wave('east', 10, 3, () => 17)],
  options: {
    unit: 'percent',
    min: 0,
    max: 100,
    thresholds: [
      { value: 0, color: 'red' },
      { value: 20, color: 'green' },
      { value: 85, color: 'orange' }
    ]
  },
  timeZone
}

const table: PanelPicture = {
  type: 'table',
  title: 'Machines',
  frames: [
    {
      name: 'machines',
      columns: [
        { name: 'machine', type: 'text' },
        { name: 'last seen', type: 'time' },
        { name: 'load', type: 'number', unit: 'percent' },
        { name: 'disk', type: 'number', unit: 'bytes' },
        { name: 'running', type: 'boolean' },
        { name: 'note', type: 'text' }
      ],
      values: [
        ['press-01', 'press-02', 'מכבש-03', 'oven-01', 'oven-02', 'robot-11', 'robot-12', 'robot-13', 'robot-14'],
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => TO_MS - i * 1_234_567),
        [12.5, 97.1, 55, 71.25, null, 33.3, 80, 5, 1],
        [3.2e10, 8.8e11, 1.5e9, 6.4e10, 2e12, 4096, 1.1e10, 7e9, 1],
        [true, true, false, true, null, true, true, false, true],
        ['', 'bearings are worn and will be changed on Monday', 'مكبس قيد الصيانة', '', 'no answer', '', '', '', '']
      ]
    }
  ],
  options: { unit: 'percent', thresholds: [{ value: 90, color: 'red' }] },
  timeZone
}

const heatmap: PanelPicture = {
  type: 'heatmap',
  title: 'Vibration by machine',
  frames: ['press-01', 'press-02', 'oven-01', 'oven-02', 'robot-11', 'robot-12'].map((name, row) =>
    wave(name, 20 + row, 24, (part, noise) =>
      row === 3 && part > 0.3 && part < 0.45 ? null : 4 + 3.5 * round(part * 6 + row) + 2 * noise
    )
  ),
  options: { unit: 'mm/s', decimals: 1 },
  timeRange,
  timeZone
}

const text: PanelPicture = {
  type: 'text',
  title: 'About this dashboard',
  frames: [],
  options: {
    text: [
      '# Plant north',
      'What the **furnaces** and presses of hall 2 do. Values come from the [historian](https://historian.example/plant) every ten seconds.',
      '',
      '## When something is red',
      '- Look at the **alerts** of the last hour first',
      '- Call the shift lead: 4711',
      '- Furnaces above 70 °C stop by themselves after five minutes, whatever anybody does',
      '',
      '1. Write down the time',
      '2. Wait for maintenance'
    ].join('\n')
  },
  timeZone
}

const lineage: PanelPicture = {
  type: 'lineage',
  title: 'Where the daily report comes from',
  frames: [],
  options: {
    nodes: [
      { id: 'a', label: 'mqtt://plant/furnaces', kind: 'source' },
      { id: 'b', label: 'orders.csv', kind: 'source' },
      { id: 'c', label: 'customers of the shop in PostgreSQL', kind: 'source' },
      { id: 'd', label: 'clean readings', kind: 'pipeline' },
      { id: 'e', label: 'join orders', kind: 'pipeline' },
      { id: 'f', label: 'series: furnaces', kind: 'data' },
      { id: 'g', label: 'orders.parquet', kind: 'data' },
      { id: 'h', label: 'daily report', kind: 'dashboard' }
    ],
    edges: [
      { from: 'a', to: 'd' },
      { from: 'd', to: 'f' },
      { from: 'b', to: 'e' },
      { from: 'c', to: 'e' },
      { from: 'e', to: 'g' },
      { from: 'f', to: 'h' },
      { from: 'g', to: 'h' },
      { from: 'b', to: 'h' }
    ]
  },
  timeZone
}

const WIDE = { width: 540, height: 250 }

/** One of each type, with what is hard to draw about it. */
export const EXAMPLES: readonly Example[] = [
  { name: 'line', size: WIDE, panel: line },
  { name: 'area', size: WIDE, panel: area },
  { name: 'bar', size: WIDE, panel: bar },
  { name: 'stat', size: { width: 320, height: 200 }, panel: stat },
  { name: 'gauge', size: { width: 560, height: 240 }, panel: gauge },
  { name: 'table', size: { width: 720, height: 260 }, panel: table },
  { name: 'heatmap', size: { width: 640, height: 260 }, panel: heatmap },
  { name: 'text', size: { width: 480, height: 320 }, panel: text },
  { name: 'lineage', size: { width: 720, height: 280 }, panel: lineage }
]

export const DASHBOARD = {
  title: 'Plant north',
  width: 700,
  panels: [
    { position: { x: 0, y: 0, w: 15, h: 6 }, panel: line },
    { position: { x: 15, y: 0, w: 9, h: 3 }, panel: stat },
    {
      position: { x: 15, y: 3, w: 9, h: 3 },
      panel: { ...bar, title: 'Deliveries', message: 'The source can not be reached: it answers with 503' }
    },
    { position: { x: 0, y: 6, w: 12, h: 5 }, panel: { ...gauge, frames: gauge.frames.slice(0, 2) } },
    { position: { x: 12, y: 6, w: 12, h: 5 }, panel: bar }
  ]
} as const
