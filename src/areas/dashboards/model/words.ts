/** Kinds of panels. */
export const PANEL_TYPES = ['line', 'area', 'bar', 'stat', 'gauge', 'table', 'heatmap', 'text', 'lineage'] as const
export type PanelType = (typeof PANEL_TYPES)[number]

/** Where the values of a variable come from. */
export const VARIABLE_TYPES = ['constant', 'list', 'query'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]

export const COLORS = ['green', 'yellow', 'orange', 'red', 'blue', 'grey'] as const

/** Names that SQL of panels has for what every panel knows; variables can't be called so. */
export const BUILT_IN = ['from', 'to', 'interval_seconds'] as const

/** Panels lie on a grid of so many columns; a row is as high as a column is wide at 24 columns on a common screen. */
export const GRID_COLUMNS = 24

export const MAX_PANELS = 200
export const MAX_VARIABLES = 50
