export const PANEL_TYPES = ['line', 'area', 'bar', 'stat', 'gauge', 'table', 'heatmap', 'text', 'lineage'] as const
export type PanelType = (typeof PANEL_TYPES)[number]

export type ThemeName = 'light' | 'dark'

export type Cell = number | string | boolean | null

export interface PictureColumn {
  readonly name: string
  readonly type: 'time' | 'number' | 'boolean' | 'text'
  readonly unit?: string
}

/** Columns of equal length; times are milliseconds since 1970. */
export interface Frame {
  readonly name: string
  readonly columns: readonly PictureColumn[]
  readonly values: readonly (readonly Cell[])[]
}

/** What is at or above the value has the colour, up to the next threshold. */
export interface Threshold {
  readonly value: number
  readonly color: 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'grey'
}

export interface LineageNode {
  readonly id: string
  readonly label: string
  /** Nodes of one kind have one colour. */
  readonly kind?: string
}

export interface LineageEdge {
  readonly from: string
  readonly to: string
}

export interface PanelOptions {
  /** `bytes`, `bytes/s`, `bits/s`, `percent`, `ratio`, `ns` to `d`, `short`; any other is written behind the value. */
  readonly unit?: string
  readonly decimals?: number
  readonly min?: number
  readonly max?: number
  readonly thresholds?: readonly Threshold[]
  /** Whether the axis of values goes as far as the thresholds do. */
  readonly reachThresholds?: boolean
  /** Where the names of the series stand; `bottom` unless told otherwise. */
  readonly legend?: 'none' | 'bottom' | 'right'
  readonly stacked?: boolean
  /** Whether the axis of values is logarithmic; values that are not above 0 have no place on it. */
  readonly logarithmic?: boolean
  /** Whether lines go on over missing values. */
  readonly connectNulls?: boolean
  /** Whether bars lie. */
  readonly horizontal?: boolean
  /** Of a heat map: so many ranges of values, coloured by how many values lie in them, in place of series. */
  readonly buckets?: number
  /** Of a table: the rows that are shown at most. */
  readonly pageRows?: number
  /** Whether a single number has the way that it came below it; true unless told otherwise. */
  readonly sparkline?: boolean
  /** Of a text panel: headings, lists, bold words; links are shown as text. */
  readonly text?: string
  readonly nodes?: readonly LineageNode[]
  readonly edges?: readonly LineageEdge[]
}

export interface Annotation {
  readonly fromMs: number
  readonly toMs?: number
  readonly text: string
  readonly kind: 'alert' | 'deployment' | 'note'
}

export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

export interface PanelPicture {
  readonly type: PanelType
  readonly title: string
  readonly frames: readonly Frame[]
  readonly options: PanelOptions
  /** Shown instead of data, such as the words of an error. */
  readonly message?: string
  /** Without one, the times that the data have. */
  readonly timeRange?: TimeRange
  readonly timeZone: string
  readonly annotations?: readonly Annotation[]
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** A part of a picture, in pixels. */
export interface Box extends PictureSize {
  readonly x: number
  readonly y: number
}
