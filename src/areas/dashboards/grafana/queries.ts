import type { PanelQuery } from '../model/schema.ts'
import { type DataSource, type DataSources, type Language, languageOf } from './data-sources.ts'
import { writtenQuery } from './influx/influxql.ts'
import { builtQuery, pointsQuery } from './influx/query.ts'
import { type Fields, isObject, objectsOf, shortened, textOf } from './reading.ts'
import { sqlQuery } from './sql/query.ts'
import type { SqlVariables } from './sql/values.ts'

/** What a panel reads here, or why there is nothing that it can read, with what it asked in Grafana. */
export type Found =
  | { readonly query: PanelQuery; readonly notes: readonly string[] }
  | { readonly problem: string; readonly asked: readonly string[] }

const MAX_SHOWN = 10
/** Queries beside the first that are looked at, whether they can be put together with it. */
const MAX_OTHERS = 40
const ONE_QUERY = 'a panel here has one query'
const MAX_SHOWN_CHARS = 1500
/** Fields of a target that hold what is asked, in the order in which they are looked for. */
const ASKING = ['rawSql', 'expr', 'query', 'target', 'expression', 'rawQuery', 'queryText', 'sql']

const NOT_SAID = 'Its data source does not say for which database its SQL is: it is read as that of PostgreSQL.'

/** The one query that a panel of ours has, from the targets of a panel of Grafana. */
export function queryOf(panel: Fields, sources: DataSources, variables: SqlVariables): Found {
  const targets = objectsOf(panel.targets).filter(({ hide }) => hide !== true)
  const asked = targets.slice(0, MAX_SHOWN).map(askedBy)
  if (targets.length === 0) return { problem: 'it has no query', asked }
  const read = (target: Fields) => one(target, sourceOf(target, panel, sources), sources, variables)
  const [first, ...others] = targets
  const found = read(first as Fields)
  if ('problem' in found) return { problem: found.problem, asked }
  const notes = [...found.notes]
  let { query } = found
  for (const [i, target] of others.slice(0, MAX_OTHERS).entries()) {
    // Only queries of points can be put together.
    const special = specialSource(target, sourceOf(target, panel, sources))
    const other = query.tags === undefined ? { problem: special ?? ONE_QUERY } : read(target)
    const together = 'problem' in other ? undefined : joined(query, other.query)
    const name = textOf(target.refId) || String(i + 2)
    const why = 'problem' in other ? other.problem : ONE_QUERY
    if (together === undefined) notes.push(`Its query ${name} is left out: ${why}.`)
    else query = together
    if (together !== undefined && 'notes' in other) notes.push(...other.notes)
  }
  if (others.length > MAX_OTHERS) notes.push(`Its other ${others.length - MAX_OTHERS} queries are left out.`)
  return { query, notes }
}

/** One query for the tags of both, where all else about them is the same. */
function joined(one: PanelQuery, other: PanelQuery): PanelQuery | undefined {
  if (one.tags === undefined || other.tags === undefined) return undefined
  const { tags, ...rest } = one
  const { tags: more, ...same } = other
  const all = [...new Set([...tags, ...more])]
  return JSON.stringify(rest) === JSON.stringify(same) && all.length <= 200 ? { ...rest, tags: all } : undefined
}

function sourceOf(target: Fields, panel: Fields, sources: DataSources): DataSource {
  const own = isObject(target.datasource) || textOf(target.datasource) !== ''
  return sources.find(own ? target.datasource : panel.datasource)
}

type One = { query: PanelQuery; notes: readonly string[] } | { problem: string }

function one(target: Fields, source: DataSource, sources: DataSources, variables: SqlVariables): One {
  const special = specialSource(target, source)
  if (special !== undefined) return { problem: special }
  const language = languageFor(target, source)
  if (language === 'other') {
    const kind = source.type || source.name
    return { problem: `queries for ${kind} can’t be run here` }
  }
  if (source.target === undefined) {
    return { problem: `it was not said what the data source ${source.name} is here` }
  }
  const written = textOf(language === 'influx' ? target.query : target.rawSql)
  const tooMuch = sources.takeQuery(written)
  if (tooMuch !== undefined) return { problem: tooMuch }
  if (language !== 'influx') {
    const sql = written
    const found = sql === '' ? { problem: 'it has no SQL' } : sqlQuery(sql, language, source.target, variables)
    if ('tables' in found) sources.reads(source, found.tables)
    if ('problem' in found || source.type !== '' || language !== 'postgres') return found
    return { ...found, notes: [...found.notes, NOT_SAID] }
  }
  const isBuilt = Array.isArray(target.select) && target.rawQuery !== true
  if (/^\s*(?:import|from\s*\(|[\w]+\s*=)/.test(written)) return { problem: 'queries in Flux can’t be run here' }
  const asked = isBuilt ? builtQuery(target) : writtenQuery(written)
  return 'problem' in asked ? asked : pointsQuery(asked, source.target, variables)
}

/** Data sources of Grafana itself, which ask none of their own. */
function specialSource(target: Fields, { name }: DataSource): string | undefined {
  if (name === '__expr__') return 'expressions over other queries are not known here'
  if (name === '-- Dashboard --') return 'it shows the data of another panel'
  if (name === '-- Grafana --' || name === 'grafana') return 'it shows data of Grafana itself'
  if (name === '-- Mixed --' && textOf(target.rawSql) === '') return 'it does not say which data source it reads'
  return undefined
}

/** The language by the type of the data source; where that is not said, by the field that the query stands in. */
function languageFor(target: Fields, { type }: DataSource): Language {
  if (type !== '') return languageOf(type)
  const sql = textOf(target.rawSql)
  // Only MySQL has names in backquotes.
  if (sql !== '') return sql.includes('`') ? 'mysql' : 'postgres'
  const isInflux = Array.isArray(target.select) || (target.rawQuery === true && textOf(target.query) !== '')
  return isInflux ? 'influx' : 'other'
}

/** What a target asks, as text for people. */
function askedBy(target: Fields): string {
  const field = ASKING.find((name) => typeof target[name] === 'string' && target[name] !== '')
  if (field !== undefined) return shortened(textOf(target[field]), MAX_SHOWN_CHARS)
  const { datasource: _datasource, refId: _refId, hide: _hide, ...rest } = target
  return shortened(JSON.stringify(rest), MAX_SHOWN_CHARS)
}
