import { type Canvas, inside } from './charts/plot.ts'
import { LEAST_SIDE, MAX_SIDE } from './limits.ts'
import { rangeText } from './numbers/times.ts'
import { chart } from './panels/chart.ts'
import { gauge } from './panels/gauge.ts'
import { heatmap } from './panels/heatmap.ts'
import { lineage } from './panels/lineage.ts'
import { stat } from './panels/stat.ts'
import { table } from './panels/table.ts'
import { text } from './panels/text.ts'
import type { Box, PanelPicture, PanelType, PictureSize, ThemeName } from './picture.ts'
import { soundPanel } from './sound.ts'
import { label, picture, rectangle } from './svg.ts'
import { cut, textWidth, wrap } from './text/measure.ts'
import { type Theme, themeNamed } from './theme.ts'

const TITLE_SIZE = 14
const RANGE_SIZE = 11
const HEADER = 34
const MESSAGE_SIZE = 13
const LINE_HEIGHT = 18

/** Undefined where there is nothing to draw. */
type Draw = (panel: PanelPicture, canvas: Canvas) => string | undefined

const DRAWS: Readonly<Record<PanelType, Draw>> = {
  line: chart,
  area: chart,
  bar: chart,
  stat,
  gauge,
  table,
  heatmap,
  text,
  lineage
}

/** A panel as SVG: well-formed, without scripts and references, whatever its texts and values are. */
export function drawPanel(given: PanelPicture, size: PictureSize, theme: ThemeName): string {
  const panel = soundPanel(given)
  const box = { x: 0, y: 0, ...boundedSize(size) }
  const colors = themeNamed(theme)
  return picture(box, panel.title, rectangle(box, colors.panel) + panelIn(panel, box, colors, true))
}

export function boundedSize({ width, height }: PictureSize): PictureSize {
  const bounded = (side: number) => Math.round(Math.min(MAX_SIDE, Math.max(LEAST_SIDE, side || 0)))
  return { width: bounded(width), height: bounded(height) }
}

/** A panel within a larger picture. `withRange`: it says itself which time it is about. */
export function panelIn(panel: PanelPicture, box: Box, theme: Theme, withRange: boolean): string {
  const padding = box.width < 160 || box.height < 80 ? 8 : 16
  const header = panel.title === '' ? 0 : HEADER
  const body = inside(box, padding * 0.75 + (header || padding * 0.25), padding, padding * 0.75, padding)
  return (
    heading(panel, { ...box, x: box.x + padding, width: box.width - 2 * padding }, theme, withRange) +
    content(panel, body, theme)
  )
}

function heading({ title, timeRange, timeZone }: PanelPicture, box: Box, theme: Theme, withRange: boolean): string {
  const y = box.y + 26
  const shown = cut(title, box.width, TITLE_SIZE, 'bold')
  const left = box.width - textWidth(shown, TITLE_SIZE, 'bold') - 24
  const range = withRange && timeRange !== undefined ? rangeText(timeRange.fromMs, timeRange.toMs, timeZone) : ''
  const fits = shown !== '' && textWidth(range, RANGE_SIZE) <= left
  return (
    label(box.x, y, shown, { size: TITLE_SIZE, color: theme.text, weight: 'bold' }) +
    (fits ? label(box.x + box.width, y, range, { size: RANGE_SIZE, color: theme.muted, anchor: 'end' }) : '')
  )
}

function content(panel: PanelPicture, box: Box, theme: Theme): string {
  if (panel.message !== undefined) return message(panel.message, box, theme)
  return DRAWS[panel.type](panel, { box, theme }) ?? message('No data', box, theme)
}

/** Words in the middle, instead of data. */
function message(words: string, box: Box, theme: Theme): string {
  const most = Math.max(1, Math.min(6, Math.floor(box.height / LINE_HEIGHT)))
  const lines = wrap(words, box.width * 0.9, MESSAGE_SIZE, most)
  const top = box.y + box.height / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4
  const style = { size: MESSAGE_SIZE, color: theme.muted, anchor: 'middle' } as const
  return lines.map((one, i) => label(box.x + box.width / 2, top + i * LINE_HEIGHT, one, style)).join('')
}
