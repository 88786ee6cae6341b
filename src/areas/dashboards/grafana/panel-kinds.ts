import type { PanelType } from '../model/words.ts'
import { entryOf, type Fields, numberOf, objectOf, textOf } from './reading.ts'
import type { Notes } from './report.ts'

/** From there on a line that is filled below it is an area; graphs of old had a faint filling by themselves. */
const FILLED_PERCENT = 25
const FILLED_OF_TEN = 3

/** How a panel of Grafana is drawn here; undefined where nothing of ours is like it. */
export function panelTypeOf(panel: Fields, notes: Notes): PanelType | undefined {
  const kind = entryOf(KINDS, textOf(panel.type))
  return typeof kind === 'function' ? kind(panel, notes) : kind
}

const KINDS: Readonly<Record<string, PanelType | ((panel: Fields, notes: Notes) => PanelType)>> = {
  timeseries,
  graph,
  stat: 'stat',
  singlestat: (panel) => (objectOf(panel.gauge).show === true ? 'gauge' : 'stat'),
  'grafana-singlestat-panel': (panel) => (objectOf(panel.gauge).show === true ? 'gauge' : 'stat'),
  gauge: 'gauge',
  bargauge: 'bar',
  barchart: 'bar',
  piechart: pie,
  'grafana-piechart-panel': pie,
  table: 'table',
  'table-old': 'table',
  heatmap: 'heatmap',
  'heatmap-new': 'heatmap',
  text: 'text'
}

function timeseries(panel: Fields, notes: Notes): PanelType {
  const custom = objectOf(objectOf(objectOf(panel.fieldConfig).defaults).custom)
  const style = textOf(custom.drawStyle)
  if (style === 'bars') return 'bar'
  if (style === 'points') notes.add('Its points are joined by lines.')
  const isStacked = ['normal', 'percent'].includes(textOf(objectOf(custom.stacking).mode))
  return isStacked || (numberOf(custom.fillOpacity) ?? 0) >= FILLED_PERCENT ? 'area' : 'line'
}

function graph(panel: Fields, notes: Notes): PanelType {
  const mode = textOf(objectOf(panel.xaxis).mode)
  if (mode === 'series') return 'bar'
  if (mode === 'histogram') notes.add('It shows values over time, not how often each of them comes up.')
  if (panel.bars === true && panel.lines !== true) return 'bar'
  if (panel.points === true && panel.lines === false) notes.add('Its points are joined by lines.')
  return panel.stack === true || (numberOf(panel.fill) ?? 0) >= FILLED_OF_TEN ? 'area' : 'line'
}

function pie(_panel: Fields, notes: Notes): PanelType {
  notes.add('There is no pie here: it is drawn as bars.')
  return 'bar'
}
