import type { SqlParameter } from '../../../data/sql-process/messages.ts'
import type { SeriesFunction } from '../../../engines/series/index.ts'
import { Problem } from '../../../errors.ts'
import type { Panel, PanelQuery, TimeRange, Variable } from '../model/schema.ts'
import { type Chosen, type Name, namesFrom, namesIn } from './substitution.ts'

/** Points of a source, in buckets. */
export interface PointsQuestion {
  readonly kind: 'points'
  readonly sourceId: string
  /** All tags of the source where there are none. */
  readonly tags: readonly Name[] | undefined
  /** Width of the buckets; undefined: one that fits the picture. */
  readonly aggregation: string | undefined
  readonly function: SeriesFunction
  readonly fill: NonNullable<PanelQuery['fill']>
  readonly timeZone: string
}

export interface SqlQuestion {
  readonly kind: 'sql'
  readonly sql: string
  readonly relations: Readonly<Record<string, string>>
  /** Values of variables, by name; the ends of the time are added when it is asked. */
  readonly parameters: Readonly<Record<string, SqlParameter>>
  /** Dates are the times at which they begin there. */
  readonly timeZone: string
  /** `series`: rows over time are divided by their texts; `picture`: and left out where nobody would see them. */
  readonly shape: 'table' | 'series' | 'picture'
}

export interface LineageQuestion {
  readonly kind: 'lineage'
  readonly reference: string
  readonly depth: number
  readonly direction: 'upstream' | 'downstream' | 'both'
}

/** What has to be read for a panel, the same for everybody who sees the same. */
export type Question = (PointsQuestion | SqlQuestion | LineageQuestion | { readonly kind: 'nothing' }) & {
  readonly range: TimeRange
  readonly maxPoints: number
}

/** What is known when a question is made of a panel. */
export interface Setting {
  readonly variables: readonly Variable[]
  readonly chosen: Chosen
  readonly range: TimeRange
  readonly timeZone: string
  readonly maxPoints: number
}

/** The only reference of SQL has this name. */
const ONLY = 'input'
const DEFAULT_DEPTH = 3
const DIRECTIONS = { up: 'upstream', down: 'downstream', both: 'both' } as const

export function questionOf(panel: Panel, setting: Setting): Question {
  const asked = { range: setting.range, maxPoints: setting.maxPoints }
  const { query, options = {} } = panel
  if (query === undefined) return { kind: 'nothing', ...asked }
  if (panel.type === 'lineage') {
    const { depth = DEFAULT_DEPTH, direction = 'both' } = options
    return { kind: 'lineage', reference: query.reference ?? '', depth, direction: DIRECTIONS[direction], ...asked }
  }
  if (query.sourceId !== undefined) return { ...pointsOf(query, query.sourceId, setting), ...asked }
  return { ...sqlOf(panel, query, setting), ...asked }
}

/** The variables that a panel needs the values of, so that only these make a difference. */
export function variablesOf({ query, repeat }: Pick<Panel, 'query' | 'repeat'>): string[] {
  const texts = [query?.sourceId ?? '', ...(query?.tags ?? []), query?.sql ?? '']
  return [...new Set([...texts.flatMap(namesIn), ...(repeat === undefined ? [] : [repeat.variable])])]
}

function pointsOf(query: PanelQuery, source: string, { chosen, timeZone }: Setting): PointsQuestion {
  const [sourceId, ...others] = namesFrom(source, chosen)
  if (sourceId === undefined || others.length > 0) {
    const detail = `The panel shows one source: choose one value of ${source}.`
    throw new Problem('unprocessable', { detail })
  }
  const { aggregation } = query
  return {
    kind: 'points',
    sourceId: sourceId.text,
    tags: query.tags?.flatMap((tag) => namesFrom(tag, chosen)),
    aggregation: aggregation === 'auto' ? undefined : aggregation,
    function: query.function ?? 'avg',
    fill: query.fill ?? 'none',
    timeZone
  }
}

function sqlOf({ type }: Panel, query: PanelQuery, setting: Setting): SqlQuestion {
  const relations = relationsOf(query)
  const sql = query.sql ?? `FROM "${Object.keys(relations)[0] ?? ONLY}"`
  const shape = type === 'table' ? 'table' : type === 'line' || type === 'area' ? 'picture' : 'series'
  const { timeZone } = setting
  return { kind: 'sql', sql, relations, parameters: parametersFor(sql, setting), timeZone, shape }
}

export const relationsOf = ({ reference, references }: Pick<PanelQuery, 'reference' | 'references'>) =>
  references ?? (reference === undefined ? {} : { [ONLY]: reference })

/** The values of the variables that SQL may name: a text, and a list of texts of those with several values. */
export function parametersFor(sql: string, { variables, chosen }: Pick<Setting, 'variables' | 'chosen'>) {
  const named = new Set(namesIn(sql).map((name) => name.toLowerCase()))
  const parameters: Record<string, SqlParameter> = Object.create(null)
  for (const { name, multiple = false } of variables) {
    const values = chosen.get(name)
    if (values === undefined || !named.has(name.toLowerCase())) continue
    parameters[name] = multiple ? values : (values[0] ?? null)
  }
  return parameters
}
