import type { Box } from '../picture.ts'
import { element, label, line } from '../svg.ts'
import { cut, textWidth } from '../text/measure.ts'
import type { Theme } from '../theme.ts'

const SIZE = 12
const ROW_HEIGHT = 20
const SWATCH = 14
const GAP = 18
const MAX_NAME_WIDTH = 200

export interface LegendItem {
  readonly name: string
  /** What it is now, behind the name. */
  readonly value: string
  readonly color: string
  readonly dashes?: string | undefined
}

export interface Legend {
  /** What it takes at the bottom, or at the right; the other one is 0. */
  readonly height: number
  readonly width: number
  /** Within the box that it is a legend to. */
  draw(box: Box): string
}

const NONE: Legend = { height: 0, width: 0, draw: () => '' }

interface Placed extends LegendItem {
  readonly x: number
  readonly row: number
  readonly width: number
}

/** Below, in rows from left to right, in at most so many; of what does not fit it is said how much it is. */
export function legendOf(
  items: readonly LegendItem[],
  more: number,
  width: number,
  maxRows: number,
  theme: Theme
): Legend {
  const total = items.length + more
  const rows = Math.max(0, Math.floor(maxRows))
  if (total === 0 || rows === 0) return NONE
  let placed = place(items, width, rows, 0)
  // Names matter more than values.
  const names = items.map((item) => ({ ...item, value: '' }))
  if (placed.length < total) placed = place(names, width, rows, 0)
  if (placed.length < total) placed = place(names, width, rows, textWidth(moreText(total), SIZE) + GAP)
  const used = (placed.at(-1)?.row ?? 0) + 1
  const left = total - placed.length
  const height = used * ROW_HEIGHT
  return {
    height,
    width: 0,
    draw(box) {
      const at = { ...box, y: box.y + box.height - height }
      return placed.map((item) => itemAt(item, at, theme)).join('') + rest(placed.at(-1), left, at, theme)
    }
  }
}

/** At the right, each in a row of its own, in at most so many and no wider than that. */
export function legendBeside(
  items: readonly LegendItem[],
  more: number,
  maxWidth: number,
  maxRows: number,
  theme: Theme
): Legend {
  const total = items.length + more
  const rows = Math.max(0, Math.floor(maxRows))
  if (total === 0 || rows === 0) return NONE
  const shown = items.slice(0, total > rows ? rows - 1 : rows)
  const placed = shown.flatMap((item, row) => {
    const [whole] = place([item], maxWidth, 1, 0)
    const [named] = whole === undefined ? place([{ ...item, value: '' }], maxWidth, 1, 0) : [whole]
    return named === undefined ? [] : [{ ...named, row }]
  })
  const left = total - shown.length
  const width = Math.max(textWidth(left > 0 ? moreText(left) : '', SIZE), ...placed.map((item) => item.width))
  return {
    height: 0,
    width,
    draw(box) {
      const at = { ...box, x: box.x + box.width - width }
      const end = { x: 0, row: shown.length, width: -GAP }
      return placed.map((item) => itemAt(item, at, theme)).join('') + rest(end, left, at, theme)
    }
  }
}

const moreText = (count: number) => `and ${count} more`

/** `reserved` is kept free at the end of the last row. */
function place(items: readonly LegendItem[], width: number, rows: number, reserved: number): Placed[] {
  const placed: Placed[] = []
  let [x, row] = [0, 0]
  for (const item of items) {
    const name = cut(item.name, Math.min(MAX_NAME_WIDTH, width - SWATCH - GAP), SIZE)
    const value = item.value === '' ? '' : cut(item.value, 120, SIZE)
    const needed = SWATCH + 6 + textWidth(name, SIZE) + (value === '' ? 0 : 6 + textWidth(value, SIZE, 'bold'))
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1]
    if (row >= rows || (row === rows - 1 && x + needed > width - reserved)) break
    placed.push({ ...item, name, value, x, row, width: needed })
    x += needed + GAP
  }
  return placed
}

function itemAt({ name, value, color, dashes, x, row }: Placed, box: Box, theme: Theme): string {
  const [left, middle] = [box.x + x, box.y + row * ROW_HEIGHT + ROW_HEIGHT / 2]
  const nameX = left + SWATCH + 6
  const swatch =
    dashes === undefined
      ? element('rect', { x: left, y: middle - 2, width: SWATCH, height: 4, rx: 2, fill: color })
      : line(left, middle, left + SWATCH, middle, color, { 'stroke-width': 3, 'stroke-dasharray': dashes })
  return (
    swatch +
    label(nameX, middle + 4, name, { size: SIZE, color: theme.text }) +
    label(nameX + textWidth(name, SIZE) + 6, middle + 4, value, { size: SIZE, color: theme.muted, weight: 'bold' })
  )
}

function rest(last: Pick<Placed, 'x' | 'row' | 'width'> | undefined, left: number, box: Box, theme: Theme): string {
  if (left === 0) return ''
  const x = last === undefined ? 0 : last.x + last.width + GAP
  const y = box.y + (last?.row ?? 0) * ROW_HEIGHT + ROW_HEIGHT / 2 + 4
  return label(box.x + x, y, moreText(left), { size: SIZE, color: theme.muted })
}
