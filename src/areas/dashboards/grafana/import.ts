import type { Content, Panel } from '../model/schema.ts'
import { MAX_PANELS } from '../model/words.ts'
import { type DataSourceMap, DataSources } from './data-sources.ts'
import { dashboardIn, tellRest } from './forms.ts'
import { type Laid, laidOut, settled } from './layout.ts'
import { Library } from './library.ts'
import { linksOf } from './links.ts'
import { drawn, PanelIds, type Surroundings } from './panels.ts'
import { type Fault, type Fields, lineOf, listOf, shortened, soundCopy, textOf } from './reading.ts'
import { type ImportReport, Notes, type PanelReport } from './report.ts'
import { refreshOf, timeRangeOf, timeZoneOf } from './times.ts'
import { variablesOf } from './variables.ts'

const MAX_NAME_CHARS = 200
const MAX_DESCRIPTION_CHARS = 2000
const MAX_TAGS = 50
const MAX_TAG_CHARS = 64
const MAX_TAGS_LOOKED_AT = 1000
const MAX_LINKS = 50

export type Imported =
  | { readonly content: Content; readonly report: ImportReport }
  | { readonly faults: readonly Fault[] }

/**
 * A dashboard of ours from the JSON of one of Grafana, with what was taken and what was left out. `data` says what its data
 * sources are here. What is not understood is told and never guessed.
 */
export function fromGrafana(json: unknown, data: DataSourceMap): Imported {
  const steps = fromGrafanaInSteps(json, data)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, panel by panel: a large file takes long, and others want to have their turn meanwhile. */
export function* fromGrafanaInSteps(json: unknown, data: DataSourceMap): Generator<void, Imported> {
  const notes = new Notes()
  const copy = soundCopy(json)
  if ('faults' in copy) return copy
  const found = dashboardIn(copy.value, notes)
  if ('faults' in found) return found
  const { dashboard } = found
  const sources = new DataSources(data, dashboard)
  const { variables, reports, forSql, tooMany } = yield* variablesOf(dashboard, sources)
  if (tooMany > 0) notes.add(`${tooMany} variables are left out: a dashboard can have ${reports.length}.`)
  const around = { sources, variables: forSql, library: new Library(dashboard.__elements) }
  const { panels, reports: panelReports } = yield* panelsOf(laidOut(dashboard), around, notes)
  const content: Content = {
    name: nameOf(dashboard, notes),
    description: notes.cut(textOf(dashboard.description), MAX_DESCRIPTION_CHARS, 'The description'),
    folder: '',
    tags: tagsOf(dashboard, notes),
    panels,
    variables: [...variables],
    timeRange: timeRangeOf(dashboard.time, notes),
    timeZone: timeZoneOf(dashboard.timezone, notes),
    refreshSeconds: refreshOf(dashboard.refresh, notes),
    links: linksOf(dashboard.links, MAX_LINKS, forSql, notes)
  }
  notes.add(...sources.notes())
  tellRest(dashboard, notes)
  return { content, report: { panels: panelReports, variables: reports, dashboard: notes.list() } }
}

function nameOf(dashboard: Fields, notes: Notes): string {
  const name = notes.cut(lineOf(dashboard.title), MAX_NAME_CHARS, 'The title').trim()
  if (name === '') notes.add('It has no title: give it a name.')
  return name === '' ? 'Dashboard of Grafana' : name
}

function tagsOf(dashboard: Fields, notes: Notes): string[] {
  const all = listOf(dashboard.tags)
    .slice(0, MAX_TAGS_LOOKED_AT)
    .map(lineOf)
    .filter((tag) => tag !== '')
  const tags = [...new Set(all.map((tag) => notes.cut(tag, MAX_TAG_CHARS, 'A tag').trim()))]
  if (tags.length > MAX_TAGS) notes.add(`Only the first ${MAX_TAGS} tags are taken.`)
  return tags.slice(0, MAX_TAGS)
}

function* panelsOf(
  laid: readonly Laid[],
  around: Surroundings,
  notes: Notes
): Generator<void, { panels: Panel[]; reports: PanelReport[] }> {
  if (laid.length > MAX_PANELS)
    notes.add(`${laid.length - MAX_PANELS} panels are left out: a dashboard can have ${MAX_PANELS}.`)
  const ids = new PanelIds()
  const reports: PanelReport[] = []
  const taken: { panel: Omit<Panel, 'position'>; laid: Laid }[] = []
  for (const each of laid.slice(0, MAX_PANELS)) {
    yield
    const { panel, source, notes: own } = drawn(each.panel, around)
    const id = panel === undefined ? null : ids.next(each.panel)
    if (panel !== undefined && id !== null) taken.push({ panel: { id, ...panel }, laid: each })
    reports.push({
      title: shortened(lineOf(source.title), MAX_NAME_CHARS),
      grafanaType: shortened(lineOf(source.type), MAX_NAME_CHARS),
      id,
      outcome: panel === undefined ? 'left out' : own.outcome(),
      notes: own.list()
    })
  }
  const positions = settled(taken.map(({ laid: { position } }) => position))
  return { panels: taken.map(({ panel }, i) => ({ ...panel, position: positions[i] as Panel['position'] })), reports }
}
