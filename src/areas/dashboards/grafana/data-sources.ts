import { entryOf, type Fields, isObject, objectOf, objectsOf, textOf } from './reading.ts'

/** What a data source of Grafana is here: a source of points, one data reference, or several by the names of their tables. */
export type DataTarget =
  | { readonly sourceId: string }
  | { readonly reference: string }
  | { readonly references: Readonly<Record<string, string>> }

/** By the uid, the name or the type that Grafana has for it; the one that panels have without saying so is `default`. */
export type DataSourceMap = Readonly<Record<string, DataTarget>>

/** The languages that queries of Grafana are written in, as far as it matters here. */
export type Language = 'postgres' | 'mysql' | 'mssql' | 'influx' | 'other'

export interface DataSource {
  /** What the report calls it. */
  readonly name: string
  readonly type: string
  readonly target: DataTarget | undefined
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  postgres: 'postgres',
  'grafana-postgresql-datasource': 'postgres',
  mysql: 'mysql',
  mssql: 'mssql',
  influxdb: 'influx'
}

/** Of all queries of a dashboard together: several times what large ones have. */
const MAX_QUERY_CHARS = 500_000

/** Data sources as a dashboard names them: by themselves, by a variable, or by an input of an exported file. */
export class DataSources {
  readonly #map: DataSourceMap
  #charsLeft = MAX_QUERY_CHARS
  /** What a name within `${…}` may also be called. */
  readonly #aliases = new Map<string, readonly string[]>()
  readonly #tables = new Map<DataTarget, { readonly name: string; readonly tables: Set<string> }>()

  constructor(map: DataSourceMap, dashboard: Fields) {
    this.#map = map
    for (const input of objectsOf(dashboard.__inputs)) {
      if (textOf(input.type) !== 'datasource') continue
      this.#aliases.set(textOf(input.name), [input.label, input.pluginId, input.pluginName].map(textOf))
    }
    for (const variable of objectsOf(objectOf(dashboard.templating).list)) {
      if (textOf(variable.type) !== 'datasource') continue
      const { value, text } = objectOf(variable.current)
      this.#aliases.set(textOf(variable.name), [value, text, variable.query].map(textOf))
    }
  }

  /** The one that a panel or a target names; `given` is null, a name, or `{type, uid}`. */
  find(given: unknown): DataSource {
    const { uid, type, name } = isObject(given) ? given : { uid: given }
    const said = [uid, name].map(textOf).filter((each) => each !== '')
    const [, variable] = /^\$\{?(\w+)(?::\w+)?\}?$/.exec(said[0] ?? '') ?? []
    const meant = variable === undefined ? said : [variable, ...(this.#aliases.get(variable) ?? [])]
    const names = [...meant, textOf(type)].filter((each) => each !== '')
    if (said.length === 0) names.push('default')
    const found = names.find((each) => Object.hasOwn(this.#map, each))
    return {
      name: names[0] ?? 'default',
      type: textOf(type) || (names.find((each) => languageOf(each) !== 'other') ?? ''),
      target: found === undefined ? undefined : entryOf(this.#map, found)
    }
  }

  /** Counts a query of the dashboard; says what is wrong where all of them together are more than is read of one dashboard. */
  takeQuery({ length }: string): string | undefined {
    if (length > this.#charsLeft) return `the queries of the dashboard have more than ${MAX_QUERY_CHARS} characters`
    this.#charsLeft -= length
    return undefined
  }

  /** Remembers which tables of it SQL reads. */
  reads({ name, target }: DataSource, tables: readonly string[]): void {
    if (target === undefined || !('reference' in target)) return
    const known = this.#tables.get(target) ?? { name, tables: new Set() }
    for (const table of tables) known.tables.add(table.toLowerCase())
    this.#tables.set(target, known)
  }

  /** What is to be told where several tables have become one reference. */
  notes(): string[] {
    const several = [...this.#tables.values()].filter(({ tables }) => tables.size > 1)
    return several.map(({ name, tables }) => {
      const names = [...tables].slice(0, 20).join(', ')
      return `The data source ${name} was given as one reference: ${names} all read it. Give a reference for each table.`
    })
  }
}

export function languageOf(type: string): Language {
  return entryOf(LANGUAGES, type) ?? 'other'
}
