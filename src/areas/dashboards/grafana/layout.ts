import type { Position } from '../model/schema.ts'
import { GRID_COLUMNS } from '../model/words.ts'
import { type Fields, numberOf, objectOf, objectsOf, textOf } from './reading.ts'

/** A panel of Grafana and where it lay; a row is a panel too, with its title alone. */
export interface Laid {
  readonly panel: Fields
  readonly position: Position
}

const MAX_HEIGHT = 200
const MAX_TOP = 10_000
/** Of each panel, where so many of them would reach below the end of the grid. */
const SQUEEZED_HEIGHT = 50
const USUAL = { w: 12, h: 8 }
/** A row of the grid of Grafana, with the gap below it. */
const GRID_ROW_PIXELS = 38
const USUAL_ROW_PIXELS = 250
/** Columns of the rows that Grafana had before version 5. */
const OLD_COLUMNS = 12

/** All panels, those in rows that are folded up among them, in the order in which they are read. */
export function laidOut(dashboard: Fields): Laid[] {
  const laid = Array.isArray(dashboard.panels) ? onGrid(dashboard.panels) : []
  return [...laid, ...inOldRows(objectsOf(dashboard.rows), bottomOf(laid))]
}

function onGrid(panels: readonly unknown[]): Laid[] {
  const laid: Laid[] = []
  // What is folded up takes no room in Grafana: all that follows moves down by its height.
  let shift = 0
  for (const each of panels) {
    const panel = objectOf(each)
    const position = gridPosition(panel, shift)
    laid.push({ panel, position })
    const folded = textOf(panel.type) === 'row' ? objectsOf(panel.panels) : []
    if (folded.length === 0) continue
    const first = folded.reduce((top, inner) => Math.min(top, gridPosition(inner, 0).y), Number.MAX_SAFE_INTEGER)
    const inside = folded.map((inner) => ({
      panel: inner,
      position: gridPosition(inner, position.y + position.h - first)
    }))
    for (const one of inside) laid.push(one)
    shift += bottomOf(inside) - (position.y + position.h)
  }
  return laid
}

function gridPosition(panel: Fields, shift: number): Position {
  const { x, y, w, h } = objectOf(panel.gridPos)
  const width = whole(w, USUAL.w, 1, GRID_COLUMNS)
  return {
    x: whole(x, 0, 0, GRID_COLUMNS - width),
    y: whole((numberOf(y) ?? 0) + shift, 0, 0, Number.MAX_SAFE_INTEGER),
    w: width,
    h: whole(h, textOf(panel.type) === 'row' ? 1 : USUAL.h, 1, MAX_HEIGHT)
  }
}

function whole(value: unknown, usual: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(numberOf(value) ?? usual)))
}

/** Rows of before version 5: panels beside each other by their `span`, as high as the row. */
function inOldRows(rows: readonly Fields[], top: number): Laid[] {
  const laid: Laid[] = []
  let y = top
  for (const row of rows) {
    if (textOf(row.title) !== '' && (row.showTitle === true || row.collapse === true)) {
      const panel = { type: 'row', title: row.title, collapsed: row.collapse, repeat: row.repeat }
      laid.push({ panel, position: { x: 0, y, w: GRID_COLUMNS, h: 1 } })
      y += 1
    }
    let x = 0
    let bottom = y
    for (const panel of objectsOf(row.panels)) {
      const w = whole((numberOf(panel.span) ?? 4) * (GRID_COLUMNS / OLD_COLUMNS), USUAL.w, 1, GRID_COLUMNS)
      const h = rowsOf(panel.height ?? row.height)
      if (x + w > GRID_COLUMNS) {
        x = 0
        y = bottom
      }
      laid.push({ panel, position: { x, y, w, h } })
      x += w
      bottom = Math.max(bottom, y + h)
    }
    y = bottom
  }
  return laid
}

/** Rows of the grid for a height such as `250px`. */
function rowsOf(height: unknown): number {
  const pixels = numberOf(textOf(height).replace(/px$/, '')) ?? USUAL_ROW_PIXELS
  return Math.min(MAX_HEIGHT, Math.max(3, Math.ceil(pixels / GRID_ROW_PIXELS)))
}

function bottomOf(laid: readonly Laid[]): number {
  return laid.reduce((bottom, { position }) => Math.max(bottom, position.y + position.h), 0)
}

/** The positions moved down as far as it takes that none covers another; within the grid, whatever they were. */
export function settled(positions: readonly Position[]): Position[] {
  const placed: Position[] = []
  for (const position of positions) {
    let { y } = position
    for (let below = lowest(placed, position, y); below !== undefined; below = lowest(placed, position, y)) y = below
    placed.push({ ...position, y })
  }
  if (placed.every(({ y }) => y <= MAX_TOP)) return placed
  return placed.map((position, i) => ({
    ...position,
    y: i * SQUEEZED_HEIGHT,
    h: Math.min(position.h, SQUEEZED_HEIGHT)
  }))
}

/** The lower edge of what it would cover there; undefined where it would cover nothing. */
function lowest(placed: readonly Position[], { x, w, h }: Position, y: number): number | undefined {
  const covered = placed.filter(
    (each) => x < each.x + each.w && each.x < x + w && y < each.y + each.h && each.y < y + h
  )
  return covered.length === 0 ? undefined : Math.max(...covered.map((each) => each.y + each.h))
}
