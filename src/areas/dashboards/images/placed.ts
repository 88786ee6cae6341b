import type { PanelData } from '../data/schema.ts'
import type { Panel, Position } from '../model/schema.ts'
import { GRID_COLUMNS } from '../model/words.ts'

export interface Placed {
  readonly panel: Panel
  readonly data: PanelData
  readonly position: Position
}

/**
 * Where each answer is drawn. The copies of a repeated panel lie beside the first one, as far as nothing else lies there, and
 * below it; what is below them moves down by as much as they need.
 */
export function placed(panels: readonly Panel[], answers: readonly PanelData[]): Placed[] {
  const byPanel = Map.groupBy(answers, ({ panelId }) => panelId)
  const ordered = panels.toSorted((a, b) => a.position.y - b.position.y || a.position.x - b.position.x)
  let movedDown = 0
  let atRow = -1
  let needed = 0
  return ordered.flatMap((panel) => {
    if (panel.position.y !== atRow) {
      movedDown += needed
      needed = 0
      atRow = panel.position.y
    }
    const { x, y, w, h } = panel.position
    const { direction = 'right', maxPerRow } = panel.repeat ?? {}
    const own = byPanel.get(panel.id) ?? []
    const fit = Math.max(1, Math.min(maxPerRow ?? GRID_COLUMNS, Math.floor((roomUntil(panel, panels) - x) / w)))
    const perRow = direction === 'down' || panel.repeat === undefined ? 1 : fit
    needed = Math.max(needed, (Math.ceil(own.length / perRow) - 1) * h)
    return own.map((data, index) => ({
      panel,
      data,
      position: { x: x + (index % perRow) * w, y: y + movedDown + Math.floor(index / perRow) * h, w, h }
    }))
  })
}

/** The column at which the next panel to the right begins. */
function roomUntil({ id, position: { x, y, h } }: Panel, panels: readonly Panel[]): number {
  const beside = panels.filter(
    ({ id: other, position }) => other !== id && position.x > x && position.y < y + h && y < position.y + position.h
  )
  return Math.min(GRID_COLUMNS, ...beside.map(({ position }) => position.x))
}
