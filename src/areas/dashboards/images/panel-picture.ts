import type { Annotation, Cell, PanelPicture, Frame as PictureFrame } from '../../../engines/pictures/index.ts'
import type { Frame, PanelData } from '../data/schema.ts'
import type { Chosen } from '../data/substitution.ts'
import type { Panel, PanelOptions } from '../model/schema.ts'
import { reducedFrames } from './reduced.ts'

export interface Circumstances {
  readonly timeZone: string
  /** What is chosen of variables. */
  readonly chosen: Chosen
  readonly annotations: readonly Annotation[]
}

/** What the renderer of pictures needs to draw a panel with its data. */
export function panelPicture(
  panel: Panel,
  data: PanelData,
  { timeZone, chosen, annotations }: Circumstances
): PanelPicture {
  const { type, options = {}, repeat } = panel
  const own =
    repeat === undefined || data.repeatValue === null
      ? chosen
      : new Map([...chosen, [repeat.variable, [data.repeatValue]]])
  const { from, to } = data
  const frames = type === 'lineage' ? [] : framesOf(panel, data)
  const message =
    data.error?.detail ?? (isWithoutNumbers(type, frames) ? 'The data have no numbers that can be drawn.' : undefined)
  return {
    type,
    title: `${withValues(panel.title, own)}${data.truncated ? ' (not all rows)' : ''}`,
    frames,
    options: { ...drawn(options, own), ...(type === 'lineage' && graphOf(data.frames)) },
    ...(message !== undefined && { message }),
    ...(from !== null && to !== null && { timeRange: { fromMs: Date.parse(from), toMs: Date.parse(to) } }),
    timeZone,
    annotations
  }
}

const DRAWN: readonly Panel['type'][] = ['line', 'area', 'bar', 'stat', 'gauge', 'heatmap']

/** Texts, and numbers that are none, are data all the same: to say that there are none would be wrong. */
function isWithoutNumbers(type: Panel['type'], frames: readonly PictureFrame[]): boolean {
  if (
    !DRAWN.includes(type) ||
    !frames.some(({ values }) => values.some((cells) => cells.some((cell) => cell !== null)))
  )
    return false
  return !frames.some(({ columns, values }) =>
    columns.some((column, at) => column.type === 'number' && values[at]?.some((cell) => Number.isFinite(cell)))
  )
}

/** A text in which variables stand for what is chosen of them. */
export const withValues = (text: string, chosen: Chosen): string =>
  text.replaceAll(/\$([A-Za-z][A-Za-z0-9_]*)/g, (whole, name: string) => chosen.get(name)?.join(', ') ?? whole)

function drawn(options: PanelOptions, chosen: Chosen) {
  const { thresholds, text, ...asTheyAre } = options
  return {
    ...asTheyAre,
    ...(thresholds !== undefined && {
      thresholds: thresholds.map(({ value, color }) => ({ value: value ?? -Number.MAX_VALUE, color }))
    }),
    ...(text !== undefined && { text: withValues(text, chosen) })
  }
}

function framesOf({ type, options = {} }: Panel, { frames }: PanelData): PictureFrame[] {
  const { columns: wanted, reduce } = options
  if (type === 'table') {
    const table = inOne(frames)
    return table.map((frame) => plainFrame(wanted === undefined ? frame : chosenColumns(frame, wanted)))
  }
  const isReduced = reduce !== undefined && (type === 'stat' || type === 'gauge' || type === 'bar')
  if (isReduced) return reducedFrames(frames.map(plainFrame), reduce)
  return frames.map((frame) => plainFrame(type === 'bar' ? labelled(frame) : frame))
}

/** Of several series, the rows of all one after the other, with the name of their series before them. */
function inOne(frames: readonly Frame[]): readonly Frame[] {
  const [first, ...others] = frames
  if (first === undefined || others.length === 0) return frames
  const shared = first.columns.filter(({ name }) =>
    frames.every(({ columns }) => columns.some((one) => one.name === name))
  )
  const cellsOf = ({ columns, values }: Frame, name: string) =>
    values[columns.findIndex((one) => one.name === name)] ?? []
  const names = frames.flatMap(({ name, values }) => (values[0] ?? []).map(() => name))
  return [
    {
      ...first,
      columns: [{ name: 'series', type: 'text', unit: null }, ...shared],
      values: [names, ...shared.map(({ name }) => frames.flatMap((frame) => cellsOf(frame, name)))]
    }
  ]
}

/** Where nothing else names the bars, the first of several columns does, whatever is in it: an hour, a year, a number of a machine. */
function labelled(frame: Frame): Frame {
  const [first, ...others] = frame.columns
  const isNamed = frame.columns.some(({ type }) => type !== 'number' && type !== 'boolean')
  if (first === undefined || others.length === 0 || isNamed) return frame
  const [labels = [], ...values] = frame.values
  return {
    ...frame,
    columns: [{ ...first, type: 'text' }, ...others],
    values: [labels.map((label) => label ?? '–'), ...values]
  }
}

function chosenColumns(frame: Frame, wanted: readonly string[]): Frame {
  const places = wanted.map((name) => frame.columns.findIndex((column) => column.name === name)).filter((at) => at >= 0)
  return {
    ...frame,
    columns: places.map((at) => frame.columns[at] as Frame['columns'][number]),
    values: places.map((at) => frame.values[at] as readonly unknown[])
  }
}

function plainFrame({ name, columns, values }: Frame): PictureFrame {
  return {
    name,
    columns: columns.map(({ name: column, type, unit }) => ({
      name: column,
      type: type === 'json' ? 'text' : type,
      ...(unit !== null && { unit })
    })),
    values: values.map((cells, at) => cells.map((cell) => plainCell(cell, columns[at]?.type)))
  }
}

function plainCell(cell: unknown, type: Frame['columns'][number]['type'] | undefined): Cell {
  if (cell === null || cell === undefined) return null
  if (type === 'time') return Date.parse(String(cell))
  if (type === 'number') return Number(cell)
  return typeof cell === 'object' ? JSON.stringify(cell) : (cell as Cell)
}

/** The graph that the answer of a lineage panel has as two lists. */
function graphOf(frames: readonly Frame[]) {
  const rowsOf = (name: string) => {
    const { columns = [], values = [] } = frames.find((frame) => frame.name === name) ?? {}
    const cell = (row: number, column: string) =>
      String(values[columns.findIndex((each) => each.name === column)]?.[row] ?? '')
    return Array.from({ length: values[0]?.length ?? 0 }, (_, row) => (column: string) => cell(row, column))
  }
  return {
    nodes: rowsOf('nodes').map((of) => ({ id: of('id'), label: of('name') || of('id'), kind: of('kind') })),
    edges: rowsOf('edges').map((of) => ({ from: of('from'), to: of('to') }))
  }
}
