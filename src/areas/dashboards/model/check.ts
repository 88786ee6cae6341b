import type { FieldError } from '../../../errors.ts'
import { referenceFaults } from '../../../http/reference-fields.ts'
import { DURATION_FORM, parseDuration, parseTime, TIME_FORM } from '../../../http/times.ts'
import { PANEL_FACTS } from './panel-types.ts'
import type { Content, Panel, PanelOptions, PanelQuery, TimeRange, Variable } from './schema.ts'
import { variableFaults } from './variable-check.ts'
import { GRID_COLUMNS } from './words.ts'

/** Everything that is wrong with a dashboard beyond the form of its fields, with a pointer to each. */
export function faultsOf(content: Content): FieldError[] {
  const faults: FieldError[] = []
  faults.push(...rangeFaults(content.timeRange, '/timeRange'))
  if (!isZone(content.timeZone)) {
    faults.push({ pointer: '/timeZone', message: 'must be the IANA name of a time zone, such as Europe/Berlin' })
  }
  faults.push(...variableFaults(content.variables))
  const ids = new Set<string>()
  for (const [index, panel] of content.panels.entries()) {
    const at = `/panels/${index}`
    if (ids.has(panel.id)) faults.push({ pointer: `${at}/id`, message: 'is the id of another panel too' })
    ids.add(panel.id)
    faults.push(...panelFaults(panel, content.variables, at))
  }
  return faults
}

export function panelFaults(panel: Panel, variables: readonly Variable[], at: string): FieldError[] {
  const { type, query, position, options = {}, timeRange, repeat } = panel
  const faults: FieldError[] = []
  if (position.x + position.w > GRID_COLUMNS) {
    faults.push({
      pointer: `${at}/position/w`,
      message: `goes beyond column ${GRID_COLUMNS}: x and w are more together`
    })
  }
  faults.push(...queryFaults(type, query, `${at}/query`))
  faults.push(...optionFaults(type, options, `${at}/options`))
  if (timeRange !== undefined) faults.push(...rangeFaults(timeRange, `${at}/timeRange`))
  if (repeat !== undefined && !variables.some(({ name }) => name === repeat.variable)) {
    faults.push({ pointer: `${at}/repeat/variable`, message: 'is no variable of the dashboard' })
  }
  return faults
}

type Kind = 'points' | 'sql' | 'lineage'

const FIELDS: Readonly<Record<Kind, readonly (keyof PanelQuery)[]>> = {
  points: ['sourceId', 'tags', 'aggregation', 'function', 'fill'],
  sql: ['reference', 'references', 'sql'],
  lineage: ['reference']
}

const NEEDED = 'is required, or references, or sourceId for points'

const KEY = { points: 'sourceId', sql: 'reference', lineage: 'the type lineage' } as const

/** What a query asks for; undefined where the panel asks for nothing. */
export function kindOf({ type, query }: Pick<Panel, 'type' | 'query'>): Kind | undefined {
  if (query === undefined || PANEL_FACTS[type].shows.length === 0) return undefined
  if (type === 'lineage') return 'lineage'
  return query.sourceId === undefined ? 'sql' : 'points'
}

function queryFaults(type: Panel['type'], query: PanelQuery | undefined, at: string): FieldError[] {
  const { shows } = PANEL_FACTS[type]
  if (query === undefined) {
    return shows.length === 0 ? [] : [{ pointer: at, message: `is required for a panel of type ${type}` }]
  }
  const kind = kindOf({ type, query })
  if (kind === undefined) return [{ pointer: at, message: `has no meaning for a panel of type ${type}` }]
  const faults: FieldError[] = []
  for (const field of Object.keys(query) as (keyof PanelQuery)[]) {
    if (!FIELDS[kind].includes(field)) {
      faults.push({ pointer: `${at}/${field}`, message: `has no meaning beside ${KEY[kind]}` })
    }
  }
  if (kind === 'points') return [...faults, ...pointFaults(query, at)]
  return [...faults, ...referenceFaults(query, at, NEEDED)]
}

function pointFaults({ aggregation }: PanelQuery, at: string): FieldError[] {
  if (aggregation === undefined || aggregation === 'auto' || parseDuration(aggregation) !== undefined) return []
  return [{ pointer: `${at}/aggregation`, message: `must be auto, or ${DURATION_FORM}` }]
}

function optionFaults(type: Panel['type'], options: PanelOptions, at: string): FieldError[] {
  const understood: readonly string[] = PANEL_FACTS[type].options
  const faults: FieldError[] = Object.keys(options)
    .filter((name) => !understood.includes(name))
    .map((name) => ({
      pointer: `${at}/${name}`,
      message: `means nothing to a panel of type ${type}; it has ${understood.join(', ')}`
    }))
  const { min, max, thresholds = [], logarithmic } = options
  if (min !== undefined && max !== undefined && min >= max) {
    faults.push({ pointer: `${at}/max`, message: 'must be above min' })
  }
  if (logarithmic === true && min !== undefined && min <= 0) {
    faults.push({ pointer: `${at}/min`, message: 'must be above 0 on a logarithmic axis' })
  }
  const values = thresholds.map(({ value }) => value ?? Number.NEGATIVE_INFINITY)
  const disorder = values.findIndex((value, index) => index > 0 && value <= (values[index - 1] as number))
  if (disorder >= 0) {
    faults.push({ pointer: `${at}/thresholds/${disorder}/value`, message: 'must be above the one before' })
  }
  return faults
}

/** The order of a range is known once both ends are: relative ones are taken from the same now. */
function rangeFaults({ from, to }: TimeRange, at: string): FieldError[] {
  const nowMs = Date.UTC(2026, 0, 15)
  const ends = { from: parseTime(from, nowMs), to: parseTime(to, nowMs) }
  const faults = Object.entries(ends).flatMap(([end, ns]) =>
    ns === undefined ? [{ pointer: `${at}/${end}`, message: `must be ${TIME_FORM}` }] : []
  )
  const isRelative = (text: string) => text === 'now' || text.startsWith('-')
  const canCompare = isRelative(from) === isRelative(to)
  if (canCompare && ends.from !== undefined && ends.to !== undefined && ends.from >= ends.to) {
    faults.push({ pointer: `${at}/to`, message: 'must be later than from' })
  }
  return faults
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
