import { MAX_PANELS, MAX_SIDE } from './limits.ts'
import { rangeText } from './numbers/times.ts'
import { boundedSize, panelIn } from './panel.ts'
import type { Box, PanelPicture, ThemeName } from './picture.ts'
import { soundPanel } from './sound.ts'
import { label, picture, rectangle } from './svg.ts'
import { cut, textWidth } from './text/measure.ts'
import { type Theme, themeNamed } from './theme.ts'

/** The unit of positions across; one downwards is as high as `ROW_HEIGHT`. */
const COLUMNS = 24
const ROW_HEIGHT = 36
const MAX_ROWS = 1000
const GAP = 12
const HEADER = 52
const TITLE_SIZE = 18

export interface PlacedPanel {
  /** In columns of 24 across and in rows. */
  readonly position: Box24
  readonly panel: PanelPicture
}

interface Box24 {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** All panels at their positions. The picture is as high as they need. */
export function drawDashboard(
  panels: readonly PlacedPanel[],
  title: string,
  { width: wanted }: { readonly width: number },
  themeName: ThemeName
): string {
  const theme = themeNamed(themeName)
  const shown = panels
    .slice(0, MAX_PANELS)
    .map(({ position, panel }) => ({ position: bounded(position), panel: soundPanel(panel) }))
  const rows = Math.max(3, ...shown.map(({ position: { y, h } }) => y + h))
  const rowHeight = Math.min(ROW_HEIGHT, (MAX_SIDE - HEADER - GAP) / rows)
  const size = boundedSize({ width: wanted, height: HEADER + rows * rowHeight + GAP })
  const column = (size.width - GAP) / COLUMNS
  const ranges = new Set(shown.map(({ panel }) => rangeOf(panel)).filter((range) => range !== undefined))
  const [common] = ranges.size === 1 ? ranges : []
  const drawn = shown.map(({ position: { x, y, w, h }, panel }) => {
    const box = {
      x: GAP + x * column,
      y: HEADER + y * rowHeight,
      width: w * column - GAP,
      height: h * rowHeight - GAP
    }
    return framed(rounded(box), theme) + panelIn(panel, rounded(box), theme, common === undefined)
  })
  const page = rectangle({ x: 0, y: 0, ...size }, theme.page)
  const more = panels.length - shown.length
  return picture(size, title, page + heading(title, common ?? '', more, size.width, theme) + drawn.join(''))
}

function framed({ x, y, width, height }: Box, theme: Theme): string {
  const outline = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 }
  return rectangle(outline, theme.panel, { stroke: theme.border, rx: 6 })
}

function rangeOf({ timeRange, timeZone }: PanelPicture): string | undefined {
  return timeRange && rangeText(timeRange.fromMs, timeRange.toMs, timeZone)
}

function heading(title: string, range: string, more: number, width: number, theme: Theme): string {
  const y = 33
  const shown = cut(title, width - 2 * GAP - 8, TITLE_SIZE, 'bold')
  const note = more > 0 ? `${more} more panels are not shown` : range
  const fits = textWidth(note, 12) <= width - textWidth(shown, TITLE_SIZE, 'bold') - 2 * GAP - 32
  return (
    label(GAP + 4, y, shown, { size: TITLE_SIZE, color: theme.text, weight: 'bold' }) +
    (fits ? label(width - GAP - 4, y, note, { size: 12, color: theme.muted, anchor: 'end' }) : '')
  )
}

/** A position within the grid, whatever was asked for. */
function bounded({ x, y, w, h }: Box24): Box24 {
  const whole = (value: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.round(Number.isFinite(value) ? value : least)))
  const left = whole(x, 0, COLUMNS - 1)
  return { x: left, y: whole(y, 0, MAX_ROWS), w: whole(w, 1, COLUMNS - left), h: whole(h, 1, MAX_ROWS) }
}

/** Edges on whole pixels are sharp. */
function rounded({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.round(x), Math.round(y)]
  return {
    x: left,
    y: top,
    width: Math.max(20, Math.round(x + width) - left),
    height: Math.max(12, Math.round(y + height) - top)
  }
}
