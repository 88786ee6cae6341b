import type { PanelOptions } from './schema.ts'
import type { PanelType } from './words.ts'

type Option = keyof PanelOptions

/** What a panel of a type can show, and which options it understands. */
export interface PanelTypeFacts {
  /** `points`: series of a source; `sql`: rows; `lineage`: the graph around a reference. A panel without any needs no query. */
  readonly shows: readonly ('points' | 'sql' | 'lineage')[]
  readonly options: readonly Option[]
}

const NUMBERS: readonly Option[] = ['unit', 'decimals', 'min', 'max', 'thresholds']
const CURVES: readonly Option[] = [...NUMBERS, 'legend', 'stacked', 'logarithmic', 'connectNulls']

export const PANEL_FACTS: Readonly<Record<PanelType, PanelTypeFacts>> = {
  line: { shows: ['points', 'sql'], options: CURVES },
  area: { shows: ['points', 'sql'], options: CURVES },
  bar: { shows: ['points', 'sql'], options: [...NUMBERS, 'legend', 'stacked', 'logarithmic', 'horizontal', 'reduce'] },
  stat: { shows: ['points', 'sql'], options: [...NUMBERS, 'reduce', 'sparkline'] },
  gauge: { shows: ['points', 'sql'], options: [...NUMBERS, 'reduce'] },
  table: { shows: ['points', 'sql'], options: ['unit', 'decimals', 'thresholds', 'columns', 'pageRows'] },
  heatmap: { shows: ['points', 'sql'], options: ['unit', 'decimals', 'min', 'max', 'buckets', 'legend'] },
  text: { shows: [], options: ['text'] },
  lineage: { shows: ['lineage'], options: ['depth', 'direction'] }
}
