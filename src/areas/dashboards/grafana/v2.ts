import { GRID_COLUMNS } from '../model/words.ts'
import { type Fields, isObject, numberOf, objectOf, objectsOf, textOf } from './reading.ts'
import type { Notes } from './report.ts'

/** Whether it has the form of Grafana 12 and later, in which elements and their layout are two things. */
export const isV2 = (dashboard: Fields): boolean => isObject(dashboard.elements) && isObject(dashboard.layout)

const AUTO_COLUMNS = 3
const AUTO_HEIGHT = 8
const MAX_LAYOUTS = 200

/** The same dashboard in the form that all versions before had. */
export function classicFromV2(dashboard: Fields, notes: Notes): Fields {
  const time = objectOf(dashboard.timeSettings)
  return {
    title: dashboard.title,
    description: dashboard.description,
    tags: dashboard.tags,
    links: dashboard.links,
    timezone: time.timezone,
    refresh: time.autoRefresh,
    time: { from: time.from, to: time.to },
    annotations: { list: objectsOf(dashboard.annotations).map(({ spec }) => ({ ...objectOf(spec) })) },
    templating: { list: objectsOf(dashboard.variables).map(classicVariable) },
    panels: new Layouts(objectOf(dashboard.elements), notes).panelsOf(dashboard.layout)
  }
}

/** `QueryVariable` is `query`, and its fields lie in `spec`. */
function classicVariable({ kind, spec: given }: Fields): Fields {
  const spec = objectOf(given)
  const type = textOf(kind)
    .replace(/Variable$/, '')
    .toLowerCase()
  const { spec: query, group, kind: plugin, datasource } = objectOf(spec.query)
  const name = textOf(group) || (textOf(plugin) === 'DataQuery' ? '' : textOf(plugin))
  const isQuery = type === 'query' && isObject(spec.query)
  if (!isQuery) return { ...spec, type: type === 'text' ? 'textbox' : type, query: spec.query ?? spec.pluginId }
  return { ...spec, type, query, datasource: spec.datasource ?? { type: name, uid: objectOf(datasource).name } }
}

/** Walks through layouts, which may lie within each other, from top to bottom. */
class Layouts {
  readonly #elements: Fields
  readonly #notes: Notes
  #seen = 0

  constructor(elements: Fields, notes: Notes) {
    this.#elements = elements
    this.#notes = notes
  }

  panelsOf(layout: unknown, top = 0): Fields[] {
    if (++this.#seen > MAX_LAYOUTS) return []
    const { kind, spec: given } = objectOf(layout)
    const spec = objectOf(given)
    if (spec.conditionalRendering !== undefined)
      this.#notes.add('Panels are always shown: conditions for it are left out.')
    switch (textOf(kind)) {
      case 'GridLayout':
        return objectsOf(spec.items).flatMap(({ spec: item, kind: type }) =>
          this.#gridItem(objectOf(item), textOf(type), top)
        )
      case 'AutoGridLayout':
        return this.#autoGrid(spec, top)
      case 'RowsLayout':
        return this.#stacked(objectsOf(spec.rows), top)
      case 'TabsLayout':
        this.#notes.add('Tabs are shown one below the other.')
        return this.#stacked(objectsOf(spec.tabs), top)
      default:
        this.#notes.add(`The layout ${textOf(kind) || 'without a kind'} is not known: its panels are left out.`)
        return []
    }
  }

  #gridItem(item: Fields, type: string, top: number): Fields[] {
    if (type === 'GridLayoutRow')
      return this.#stacked(
        [{ spec: { ...item, layout: { kind: 'GridLayout', spec: { items: item.elements } } } }],
        top + (numberOf(item.y) ?? 0)
      )
    const gridPos = { x: item.x, y: (numberOf(item.y) ?? 0) + top, w: item.width, h: item.height }
    const { value, direction, maxPerRow } = objectOf(item.repeat)
    return [{ ...this.#element(item), gridPos, repeat: value, repeatDirection: direction, maxPerRow }]
  }

  /** As many beside each other as the layout has columns. */
  #autoGrid(spec: Fields, top: number): Fields[] {
    const columns = Math.min(GRID_COLUMNS, Math.max(1, Math.round(numberOf(spec.maxColumnCount) ?? AUTO_COLUMNS)))
    const w = Math.floor(GRID_COLUMNS / columns)
    return objectsOf(spec.items).map(({ spec: given }, i) => {
      const item = objectOf(given)
      const gridPos = { x: (i % columns) * w, y: top + Math.floor(i / columns) * AUTO_HEIGHT, w, h: AUTO_HEIGHT }
      return { ...this.#element(item), gridPos, repeat: objectOf(item.repeat).value }
    })
  }

  #stacked(parts: readonly Fields[], top: number): Fields[] {
    const panels: Fields[] = []
    let y = top
    for (const part of parts) {
      const { title, collapse, layout, repeat, hideHeader } = objectOf(part.spec)
      if (hideHeader !== true && textOf(title) !== '') {
        const row = { type: 'row', title, collapsed: collapse, repeat: objectOf(repeat).value }
        panels.push({ ...row, gridPos: { x: 0, y, w: GRID_COLUMNS, h: 1 } })
        y += 1
      }
      const inside = this.panelsOf(layout, y)
      for (const panel of inside) {
        panels.push(panel)
        y = Math.max(y, bottomOf(objectOf(panel.gridPos)))
      }
    }
    return panels
  }

  #element(item: Fields): Fields {
    const { kind, spec: given } = objectOf(this.#elements[textOf(objectOf(item.element).name)])
    const spec = objectOf(given)
    if (textOf(kind) === 'LibraryPanel') return { id: spec.id, title: spec.title, libraryPanel: spec.libraryPanel }
    const viz = objectOf(spec.vizConfig)
    const { options, fieldConfig } = objectOf(viz.spec)
    const { queries, transformations, queryOptions } = objectOf(objectOf(spec.data).spec)
    const { timeFrom, timeShift } = objectOf(queryOptions)
    return {
      id: spec.id,
      title: spec.title,
      description: spec.description,
      links: spec.links,
      type: textOf(viz.kind) === 'VizConfig' ? viz.group : viz.kind,
      options,
      fieldConfig,
      timeFrom,
      timeShift,
      transformations: objectsOf(transformations).map((each) => ({
        id: objectOf(each.spec).id ?? each.group ?? each.kind
      })),
      targets: objectsOf(queries).map(classicTarget)
    }
  }
}

function classicTarget({ spec: given }: Fields): Fields {
  const { query: asked, datasource, hidden, refId } = objectOf(given)
  const query = objectOf(asked)
  const isNamed = textOf(query.kind) === 'DataQuery'
  const source = isNamed
    ? { type: query.group, uid: objectOf(query.datasource).name }
    : (datasource ?? { type: query.kind })
  return { ...objectOf(query.spec), refId, hide: hidden, datasource: source }
}

const bottomOf = ({ y, h }: Fields): number => (numberOf(y) ?? 0) + (numberOf(h) ?? AUTO_HEIGHT)
