/** Points that are drawn in one panel, of all series together. */
export const MAX_POINTS = 20_000
/** Series that are drawn; of more it is said how many there are. */
export const MAX_SERIES = 200
export const MAX_ANNOTATIONS = 100
export const MAX_THRESHOLDS = 20
/** Ranges of values of a heat map. */
export const MAX_BUCKETS = 200
/** Letters of a label that are looked at: no label is wide enough for more. */
export const MAX_LABEL_CHARS = 400
/** Letters of a text panel. */
export const MAX_TEXT_CHARS = 20_000
/** Nodes and edges of a lineage panel. */
export const MAX_NODES = 300
export const MAX_EDGES = 1000
/** Panels of a dashboard. */
export const MAX_PANELS = 100
/** In pixels. */
export const LEAST_SIDE = 80
export const MAX_SIDE = 4000
/** Of a PNG, after scaling. */
export const MAX_PIXELS = 32_000_000
/** Of an SVG that is to become a PNG. */
export const MAX_SVG_CHARS = 8_000_000
