import type { Canvas } from '../charts/plot.ts'
import { drawable } from '../numbers/ticks.ts'
import { timeText } from '../numbers/times.ts'
import { valueText } from '../numbers/units.ts'
import type { Box, Cell, PanelOptions, PanelPicture, PictureColumn, Threshold } from '../picture.ts'
import { label, line } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import { stateColor, type Theme } from '../theme.ts'

const SIZE = 12
const ROW_HEIGHT = 24
const PADDING = 10
const [LEAST_WIDTH, LEAST_TEXT_WIDTH, MAX_WIDTH] = [48, 80, 320]
const MAX_COLUMNS = 60
const DIGITS = 4
const MIDNIGHT = ' 00:00:00'

interface ShownColumn {
  readonly name: string
  readonly isRight: boolean
  /** Texts give way to what has to be read as a whole. */
  readonly least: number
  readonly texts: readonly { readonly text: string; readonly color: string }[]
  /** What it would like to have. */
  readonly wanted: number
}

/** As many rows, up to a page of them, and columns of the first frame as there is room for. */
export function table(panel: PanelPicture, { box, theme }: Canvas): string | undefined {
  const frame = panel.frames.find(({ columns }) => columns.length > 0)
  const count = Math.max(0, ...(frame?.values.map(({ length }) => length) ?? []))
  if (frame === undefined || count === 0) return undefined
  const fitting = Math.max(1, Math.floor(box.height / ROW_HEIGHT) - 1)
  const wanted = Math.min(count, panel.options.pageRows ?? count)
  const rows = wanted < fitting || count <= fitting ? wanted : Math.max(1, fitting - 1)
  const columns = frame.columns
    .slice(0, MAX_COLUMNS)
    .map((column, i) => shownColumn(column, (frame.values[i] ?? []).slice(0, rows), panel, theme))
  const widths = widthsIn(columns, box.width)
  const hidden = frame.columns.length - widths.length
  return (
    body(columns, widths, rows, box, theme) +
    rest([count - rows, 'row'], [hidden, 'column'], { ...box, y: box.y + (rows + 1) * ROW_HEIGHT }, theme)
  )
}

function shownColumn(column: PictureColumn, values: readonly Cell[], panel: PanelPicture, theme: Theme): ShownColumn {
  const isRight = column.type === 'number'
  const options = column.unit === undefined ? panel.options : { ...panel.options, unit: column.unit }
  // Thresholds are in the unit of the panel, and say nothing about columns with another.
  const isLimited = column.unit === undefined || column.unit === panel.options.unit
  const { thresholds = [] } = panel.options
  const cells = values.map((value) => cellText(value, column.type, options, panel.timeZone))
  const texts = (column.type === 'time' ? asDays(cells) : cells).map((text, i) => ({
    text,
    color: cellColor(values[i] as Cell, column.type, isLimited ? thresholds : [], theme)
  }))
  const widest = Math.max(
    textWidth(column.name.slice(0, 100), SIZE, 'bold'),
    ...texts.map(({ text }) => textWidth(text.slice(0, 100), SIZE))
  )
  const wanted = Math.min(MAX_WIDTH, Math.max(LEAST_WIDTH, Math.ceil(widest) + 1 + 2 * PADDING))
  const least = column.type === 'text' ? Math.min(wanted, LEAST_TEXT_WIDTH) : wanted
  return { name: column.name, isRight, texts, wanted, least }
}

/** Times that all are the beginning of a day are shown as days. */
function asDays(texts: readonly string[]): readonly string[] {
  const areDays = texts.every((text) => text === '–' || text.endsWith(MIDNIGHT))
  return areDays ? texts.map((text) => text.replace(MIDNIGHT, '')) : texts
}

function cellText(
  value: Cell,
  type: PictureColumn['type'],
  { unit, decimals }: PanelOptions,
  timeZone: string
): string {
  if (value === null) return '–'
  const number = drawable(value)
  if (type === 'time' && typeof value === 'number') return number === undefined ? '–' : timeText(number, timeZone)
  if (type === 'number' && typeof value === 'number') return valueText(value, unit, decimals, DIGITS)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

function cellColor(value: Cell, type: PictureColumn['type'], thresholds: readonly Threshold[], theme: Theme): string {
  if (value === null) return theme.muted
  if (type !== 'number' || typeof value !== 'number') return theme.text
  return stateColor(theme, thresholds, value) ?? theme.text
}

/** The widths of the columns that are shown: what they want, less where there is too little, more where some is left. */
function widthsIn(columns: readonly ShownColumn[], room: number): number[] {
  let shown = columns.length
  const leastOf = (count: number) => columns.slice(0, count).reduce((sum, { least }) => sum + least, 0)
  while (shown > 1 && leastOf(shown) > room) shown--
  const wanted = columns.slice(0, shown).map((column) => column.wanted)
  const total = wanted.reduce((sum, width) => sum + width, 0)
  if (total <= room) return wanted.map((width) => (width * room) / total)
  const least = leastOf(shown)
  const part = Math.max(0, room - least) / Math.max(1, total - least)
  return columns.slice(0, shown).map((column) => Math.min(room, column.least + (column.wanted - column.least) * part))
}

function body(
  columns: readonly ShownColumn[],
  widths: readonly number[],
  rows: number,
  box: Box,
  theme: Theme
): string {
  const parts: string[] = []
  for (let row = 0; row <= rows; row++) {
    const y = Math.round(box.y + (row + 1) * ROW_HEIGHT) - 0.5
    parts.push(line(box.x, y, box.x + box.width, y, row === 0 ? theme.border : theme.grid))
  }
  let x = box.x
  for (const [i, width] of widths.entries()) {
    const { name, isRight, texts } = columns[i] as ShownColumn
    const at = isRight ? x + width - PADDING : x + (i === 0 ? 2 : PADDING)
    const [room, anchor] = [width - 2 * PADDING + (i === 0 ? PADDING - 2 : 0), isRight ? 'end' : 'start'] as const
    const head = { size: SIZE, color: theme.muted, weight: 'bold', anchor } as const
    parts.push(label(at, box.y + 16, cut(name, room, SIZE, 'bold'), head))
    for (const [row, { text, color }] of texts.entries()) {
      parts.push(label(at, box.y + (row + 1) * ROW_HEIGHT + 16, cut(text, room, SIZE), { size: SIZE, color, anchor }))
    }
    x += width
  }
  return parts.join('')
}

function rest(rows: [number, string], columns: [number, string], box: Box, theme: Theme): string {
  const told = [rows, columns]
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} more ${noun}${count === 1 ? '' : 's'}`)
  return label(box.x + 2, box.y + 16, told.join(', '), { size: SIZE, color: theme.muted })
}
