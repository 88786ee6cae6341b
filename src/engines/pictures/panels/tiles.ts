import type { Box } from '../picture.ts'
import { label } from '../svg.ts'
import type { Theme } from '../theme.ts'

const GAP = 12
const MORE_HEIGHT = 18

/** Things of one kind beside and below each other, as large as they can be; of what has no room it is said how much it is. */
export function tiles<T>(
  items: readonly T[],
  box: Box,
  leastWidth: number,
  leastHeight: number,
  theme: Theme,
  draw: (item: T, tile: Box) => string
): string {
  const maxColumns = Math.max(1, Math.floor((box.width + GAP) / (leastWidth + GAP)))
  const isTooMany = items.length > maxColumns * rowsIn(box.height, leastHeight)
  const height = isTooMany ? box.height - MORE_HEIGHT : box.height
  const maxRows = rowsIn(height, leastHeight)
  const shown = items.slice(0, maxColumns * maxRows)
  const columns = columnsFor(shown.length, { ...box, height }, maxColumns, maxRows)
  const rows = Math.ceil(shown.length / columns)
  const [width, tall] = [(box.width - GAP * (columns - 1)) / columns, (height - GAP * (rows - 1)) / rows]
  const drawn = shown.map((item, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    return draw(item, { x: box.x + column * (width + GAP), y: box.y + row * (tall + GAP), width, height: tall })
  })
  const more = `and ${items.length - shown.length} more`
  const style = { size: 12, color: theme.muted, anchor: 'middle' } as const
  return drawn.join('') + (isTooMany ? label(box.x + box.width / 2, box.y + box.height - 4, more, style) : '')
}

const rowsIn = (height: number, least: number) => Math.max(1, Math.floor((height + GAP) / (least + GAP)))

/** The number of columns that makes tiles nearest to a form that is a little wider than high. */
function columnsFor(count: number, { width, height }: Box, maxColumns: number, maxRows: number): number {
  let best = Math.min(count, maxColumns)
  let bestSide = 0
  for (let columns = 1; columns <= Math.min(count, maxColumns); columns++) {
    const rows = Math.ceil(count / columns)
    if (rows > maxRows) continue
    const side = Math.min(width / columns / 1.4, height / rows)
    if (side > bestSide) [best, bestSide] = [columns, side]
  }
  return Math.max(1, best)
}
