import type { PanelPicture } from '../picture.ts'
import { type Example, wave } from './examples.ts'

const timeZone = 'Europe/Berlin'

const logarithmic: PanelPicture = {
  type: 'line',
  title: 'How long answers take',
  frames: [
    wave('median', 31, 96, (part, noise) => 0.0024 * 10 ** (Math.sin(part * 7) + noise)),
    wave('slowest', 32, 96, (part, noise) => (part > 0.6 && part < 0.63 ? 0 : 0.4 * 10 ** (1.5 * part + 2 * noise)))
  ],
  options: { unit: 's', logarithmic: true, thresholds: [{ value: 10, color: 'red' }] },
  timeZone
}

const connected: PanelPicture = {
  type: 'area',
  title: 'Power',
  frames: [
    wave('hall 1', 33, 48, (part, noise) => (Math.floor(part * 16) % 4 === 1 ? null : 40 + 12 * part + 8 * noise)),
    wave('hall 2', 34, 48, (part, noise) => (part > 0.4 && part < 0.6 ? null : 25 + 6 * noise))
  ],
  options: { unit: 'kW', stacked: true, connectNulls: true, legend: 'right' },
  timeZone
}

const horizontal: PanelPicture = {
  type: 'bar',
  title: 'Hours out of order',
  frames: [
    {
      name: '',
      columns: [
        { name: 'machine', type: 'text' },
        { name: 'planned', type: 'number' },
        { name: 'unplanned', type: 'number' }
      ],
      values: [
        ['press of hall 2, left', 'press of hall 2, right', 'oven', 'robot', 'conveyor'],
        [12, 8.5, 20, 4, 2.5],
        [3, 14, 1, 0.5, 7]
      ]
    }
  ],
  options: { unit: 'h', stacked: true, horizontal: true, thresholds: [{ value: 16, color: 'orange' }] },
  timeZone
}

const buckets: PanelPicture = {
  type: 'heatmap',
  title: 'How long orders took',
  frames: Array.from({ length: 40 }, (_, i) =>
    wave(`order ${i}`, 40 + i, 36, (part, noise) => 55 + 25 * Math.sin(part * 5) + 60 * noise * Math.abs(noise))
  ),
  options: { unit: 'min', buckets: 16 },
  timeZone
}

const page: PanelPicture = {
  type: 'table',
  title: 'Last orders',
  frames: [
    {
      name: '',
      columns: [
        { name: 'order', type: 'text' },
        { name: 'pieces', type: 'number' }
      ],
      values: [
        Array.from({ length: 12 }, (_, i) => `A-${4711 + i}`),
        Array.from({ length: 12 }, (_, i) => 40 + ((i * 37) % 23))
      ]
    }
  ],
  options: { pageRows: 4 },
  timeZone
}

const WIDE = { width: 540, height: 250 }

/** Options that change how a type of panel looks. */
export const OPTION_EXAMPLES: readonly Example[] = [
  { name: 'line-logarithmic', size: WIDE, panel: logarithmic },
  { name: 'area-connected', size: WIDE, panel: connected },
  { name: 'bar-horizontal', size: WIDE, panel: horizontal },
  { name: 'heatmap-buckets', size: WIDE, panel: buckets },
  { name: 'table-page', size: { width: 360, height: 220 }, panel: page }
]
