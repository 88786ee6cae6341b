import type { Panel } from '../model/schema.ts'
import { GRID_COLUMNS, type PanelType } from '../model/words.ts'
import type { DataSources } from './data-sources.ts'
import type { Library } from './library.ts'
import { linksOf } from './links.ts'
import { inOurWay } from './mentions.ts'
import { optionsOf } from './options.ts'
import { panelTypeOf } from './panel-kinds.ts'
import { queryOf } from './queries.ts'
import { type Fields, lineOf, listOf, numberOf, objectOf, objectsOf, textOf } from './reading.ts'
import { Notes } from './report.ts'
import type { SqlVariables } from './sql/values.ts'
import { placeholderText, textOfPanel } from './text-panels.ts'
import { ownTimeRange } from './times.ts'

const MAX_TITLE_CHARS = 200
const MAX_DESCRIPTION_CHARS = 2000
const MAX_LINKS = 20
/** Things of one kind that are told by their names. */
const MAX_TOLD = 20

/** What all panels of a dashboard have in common. */
export interface Surroundings {
  readonly sources: DataSources
  readonly variables: SqlVariables
  /** Library panels that come with an exported file, by their identifiers. */
  readonly library: Library
}

export interface Drawn {
  /** Without its place; undefined where nothing of it can be taken. */
  readonly panel: Omit<Panel, 'id' | 'position'> | undefined
  /** What Grafana shows, which may come from its library. */
  readonly source: Fields
  readonly notes: Notes
}

/** A panel of ours from one of Grafana. */
export function drawn(given: Fields, around: Surroundings): Drawn {
  const notes = new Notes()
  const panel = fromLibrary(given, around, notes)
  if (panel === undefined) return { panel: undefined, source: given, notes }
  if (panel.repeatPanelId !== undefined && panel.repeatPanelId !== null) {
    notes.add('It is a copy that Grafana has made of a panel that is repeated.')
    return { panel: undefined, source: panel, notes }
  }
  if (textOf(panel.type) === 'row') return { panel: heading(panel, around, notes), source: panel, notes }
  const type = panelTypeOf(panel, notes)
  if (type === undefined) {
    const name = lineOf(panel.type)
    notes.add(
      name === '' ? 'It does not say of which type it is.' : `Nothing here is like a panel of the type ${name}.`
    )
    return { panel: undefined, source: panel, notes }
  }
  return { panel: { ...common(panel, around, notes), ...shown(panel, type, around, notes) }, source: panel, notes }
}

function fromLibrary(given: Fields, { library }: Surroundings, notes: Notes): Fields | undefined {
  const { uid, name } = objectOf(given.libraryPanel)
  if (uid === undefined && name === undefined) return given
  const model = library.take(textOf(uid))
  if (textOf(model.type) !== '') return { ...model, ...{ id: given.id, gridPos: given.gridPos } }
  if (textOf(given.type) !== '' && textOf(given.type) !== 'library-panel-ref') return given
  notes.add(`It is the library panel ${textOf(name) || textOf(uid)}, ${library.problem}.`)
  return undefined
}

/** A row is a heading above its panels. */
function heading(panel: Fields, { variables }: Surroundings, notes: Notes): Drawn['panel'] {
  const title = inOurWay(notes.cut(lineOf(panel.title), MAX_TITLE_CHARS, 'Its title'), variables).text
  if (title === '') {
    notes.add('It is a row without a title.')
    return undefined
  }
  if (panel.collapsed === true) notes.add('Its panels are shown: rows can’t be folded up here.')
  if (textOf(panel.repeat) !== '')
    notes.add(`It is not repeated for each value of ${textOf(panel.repeat)}: only panels are.`)
  return { title: '', type: 'text', options: { text: `## ${title}` } }
}

function common(panel: Fields, { variables }: Surroundings, notes: Notes): Omit<Drawn['panel'] & object, 'type'> {
  const title = inOurWay(notes.cut(lineOf(panel.title), MAX_TITLE_CHARS, 'Its title'), variables)
  if (title.unknown.length > 0) notes.add(`Its title has ${title.unknown[0]}, which stands for nothing here.`)
  const description = notes.cut(textOf(panel.description), MAX_DESCRIPTION_CHARS, 'Its description')
  const links = linksOf(panel.links, MAX_LINKS, variables, notes)
  const timeRange = ownTimeRange(panel, notes)
  const repeat = repeatOf(panel, variables, notes)
  tellRest(panel, notes)
  return {
    title: title.text,
    ...(description !== '' && { description }),
    ...(links.length > 0 && { links }),
    ...(timeRange !== undefined && { timeRange }),
    ...(repeat !== undefined && { repeat })
  }
}

function repeatOf(panel: Fields, variables: SqlVariables, notes: Notes): Panel['repeat'] {
  const variable = textOf(panel.repeat)
  if (variable === '') return undefined
  if (!variables.has(variable)) {
    notes.add(`It is not repeated: ${variable} is no variable that could be taken.`)
    return undefined
  }
  const maxPerRow = numberOf(panel.maxPerRow)
  const isFitting = maxPerRow !== undefined && maxPerRow >= 1 && maxPerRow <= GRID_COLUMNS
  return {
    variable,
    ...(textOf(panel.repeatDirection) === 'v' && { direction: 'down' as const }),
    ...(isFitting && { maxPerRow: Math.round(maxPerRow) })
  }
}

/** What a panel can have in Grafana and never here. */
function tellRest(panel: Fields, notes: Notes): void {
  const changes = objectsOf(panel.transformations)
    .slice(0, MAX_TOLD)
    .map(({ id }) => textOf(id))
  if (changes.length > 0) notes.add(`Its data are shown as they are read, without ${changes.join(', ')}.`)
  const overrides = listOf(objectOf(panel.fieldConfig).overrides).length + listOf(panel.seriesOverrides).length
  if (overrides > 0) notes.add('All series look alike: settings of single ones are left out.')
  if (Object.keys(objectOf(panel.alert)).length > 0)
    notes.add('Its alert is left out: make an alert rule from the panel.')
  const labels = [textOf(panel.prefix), textOf(panel.postfix)].filter((each) => each !== '')
  if (labels.length > 0) notes.add(`The words ${labels.join(' and ')} beside its number are left out.`)
  const texts = [...objectsOf(panel.valueMaps), ...objectsOf(panel.rangeMaps)]
  // Every old panel has the one for missing values, whether somebody wanted it or not.
  if (texts.some((map) => ![map.value, map.from].includes('null'))) {
    notes.add('Values are shown as they are: mappings to texts are left out.')
  }
  const isBuckets = textOf(panel.dataFormat) === 'tsbuckets' || objectOf(panel.options).calculate === false
  if (textOf(panel.type).startsWith('heatmap') && isBuckets) {
    notes.add('Its buckets are made of the values here: data that are buckets already are not known as such.')
  }
}

function shown(
  panel: Fields,
  type: PanelType,
  around: Surroundings,
  notes: Notes
): Pick<Panel, 'type' | 'query' | 'options'> {
  if (type === 'text') return { type, options: { text: textOfPanel(panel, around.variables, notes) } }
  const found = queryOf(panel, around.sources, around.variables)
  if ('problem' in found) {
    notes.add(`It is a text that says what it asked: ${found.problem}.`)
    return { type: 'text', options: { text: placeholderText(found.problem, found.asked, around.variables) } }
  }
  notes.add(...found.notes)
  const options = optionsOf(panel, type, notes)
  return { type, query: found.query, ...(Object.keys(options).length > 0 && { options }) }
}

/** Identifiers like those of Grafana, each of them once. */
export class PanelIds {
  readonly #used = new Set<string>()

  next(panel: Fields): string {
    const number = textOf(panel.id)
    const first = /^[A-Za-z0-9_-]{1,30}$/.test(number) ? `panel-${number}` : `panel-n${this.#used.size + 1}`
    let id = first
    for (let again = 2; this.#used.has(id); again++) id = `${first}-${again}`
    this.#used.add(id)
    return id
  }
}
