import { legendOf } from '../charts/legend.ts'
import { type Canvas, inside } from '../charts/plot.ts'
import type { Box, LineageNode, PanelPicture } from '../picture.ts'
import { element, label, rectangle, written } from '../svg.ts'
import { cut } from '../text/measure.ts'
import { seriesStyle, type Theme } from '../theme.ts'
import { drawableGraph, type Graph, layersOf } from './layers.ts'

const SIZE = 12
const [LEAST_COLUMN, MAX_COLUMN] = [110, 260]
const [LEAST_ROW, MAX_ROW] = [28, 64]
const BOX_PART = 0.74
const MAX_BOX_HEIGHT = 34
const NOTE_HEIGHT = 20

/** Nodes as boxes from left to right, and where their data go. */
export function lineage({ options }: PanelPicture, { box, theme }: Canvas): string | undefined {
  const { nodes = [], edges = [] } = options
  const graph = drawableGraph(nodes, edges)
  if (graph.nodes.length === 0) return undefined
  const kinds = [...new Set(graph.nodes.map(({ kind }) => kind ?? ''))]
  const colorOf = ({ kind }: LineageNode) => seriesStyle(theme, kinds.indexOf(kind ?? '')).color
  const items = kinds
    .map((name, place) => ({ name, value: '', color: seriesStyle(theme, place).color }))
    .filter(({ name }) => name !== '')
  const rows = options.legend === 'none' || box.height < 140 ? 0 : 1
  const legend = legendOf(items, 0, box.width - 120, rows, theme)
  const area = inside(box, 0, 0, Math.max(legend.height, NOTE_HEIGHT), 0)
  const places = placesOf(graph, area)
  const hidden = nodes.length - places.size
  const note = hidden > 0 ? `and ${hidden} more` : ''
  const below = box.y + box.height
  return (
    edgesBetween(graph, places, theme) +
    graph.nodes.map((node) => nodeAt(node, places.get(node.id), colorOf(node), theme)).join('') +
    legend.draw({ ...box, height: below - box.y }) +
    label(box.x + box.width, below - 6, note, { size: SIZE, color: theme.muted, anchor: 'end' })
  )
}

/** Where each node is, of those that there is room for. */
function placesOf(graph: Graph, area: Box): ReadonlyMap<string, Box> {
  const maxLayers = Math.max(1, Math.floor(area.width / LEAST_COLUMN))
  const maxRows = Math.max(1, Math.floor(area.height / LEAST_ROW))
  const layers = layersOf(graph)
    .slice(0, maxLayers)
    .map((layer) => layer.slice(0, maxRows))
  const column = Math.min(MAX_COLUMN, area.width / layers.length)
  const left = area.x + (area.width - column * layers.length) / 2
  const places = new Map<string, Box>()
  for (const [depth, layer] of layers.entries()) {
    const row = Math.min(MAX_ROW, area.height / layer.length)
    const top = area.y + (area.height - row * layer.length) / 2
    const width = layers.length === 1 ? column : column * BOX_PART
    const height = Math.min(MAX_BOX_HEIGHT, row - 6)
    const gap = layers.length === 1 ? 0 : (column - width) * (depth / (layers.length - 1))
    for (const [i, { id }] of layer.entries()) {
      places.set(id, { x: left + depth * column + gap, y: top + (i + 0.5) * row - height / 2, width, height })
    }
  }
  return places
}

function edgesBetween({ edges }: Graph, places: ReadonlyMap<string, Box>, theme: Theme): string {
  const paths: string[] = []
  const heads: string[] = []
  for (const { from, to } of edges) {
    const [start, end] = [places.get(from), places.get(to)]
    if (start === undefined || end === undefined) continue
    if (end.x <= start.x) {
      paths.push(backwards(start, end))
      heads.push(`M${written(end.x + end.width / 2)} ${written(end.y + end.height)}l-4 7h8z`)
      continue
    }
    const [x1, y1] = [start.x + start.width, start.y + start.height / 2]
    const [x2, y2] = [end.x - 5, end.y + end.height / 2]
    const bend = Math.max(18, Math.abs(x2 - x1) / 2)
    paths.push(
      `M${written(x1)} ${written(y1)}C${written(x1 + bend)} ${written(y1)} ${written(x2 - bend)} ${written(y2)} ${written(x2)} ${written(y2)}`
    )
    heads.push(`M${written(x2 + 5)} ${written(y2)}l-7 -4v8z`)
  }
  if (paths.length === 0) return ''
  const stroke = { fill: 'none', stroke: theme.muted, 'stroke-width': 1.25, 'stroke-opacity': '0.7' }
  return element('path', { d: paths.join(''), ...stroke }) + element('path', { d: heads.join(''), fill: theme.muted })
}

/** What closes a circle leaves below, and arrives from below. */
function backwards(start: Box, end: Box): string {
  const [x1, y1] = [start.x + start.width / 2, start.y + start.height]
  const [x2, y2] = [end.x + end.width / 2, end.y + end.height + 7]
  const low = Math.max(y1, y2) + 14
  return `M${written(x1)} ${written(y1)}C${written(x1)} ${written(low)} ${written(x2)} ${written(low)} ${written(x2)} ${written(y2)}`
}

function nodeAt({ label: name }: LineageNode, box: Box | undefined, color: string, theme: Theme): string {
  if (box === undefined) return ''
  const text = cut(name, box.width - 20, SIZE)
  return (
    rectangle(box, theme.page, { stroke: theme.border, rx: 5 }) +
    rectangle({ x: box.x + 5, y: box.y + 6, width: 3, height: box.height - 12 }, color, { rx: 1.5 }) +
    label(box.x + 14, box.y + box.height / 2 + 4, text, { size: SIZE, color: theme.text })
  )
}
