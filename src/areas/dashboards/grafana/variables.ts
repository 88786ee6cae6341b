import type { Variable } from '../model/schema.ts'
import { BUILT_IN, MAX_VARIABLES } from '../model/words.ts'
import { type DataSources, languageOf } from './data-sources.ts'
import { mentionsIn } from './mentions.ts'
import { type Fields, isObject, lineOf, numberOf, objectOf, objectsOf, shortened, textOf } from './reading.ts'
import { Notes, type VariableReport } from './report.ts'
import { sqlQuery } from './sql/query.ts'
import type { SqlVariable, SqlVariables } from './sql/values.ts'
import { chosenAtFirst, inputValues, keptValues, listedValues, type Values } from './variable-values.ts'

const MAX_LABEL_CHARS = 200
const MAX_VALUE_CHARS = 1000
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

export interface TakenVariables {
  readonly variables: readonly Variable[]
  readonly reports: readonly VariableReport[]
  readonly forSql: SqlVariables
  readonly tooMany: number
}

type Taken = Omit<Variable, 'name' | 'label'>

/** Variables of ours from those of Grafana, those first that others use. */
export function* variablesOf(dashboard: Fields, sources: DataSources): Generator<void, TakenVariables> {
  const all = objectsOf(objectOf(dashboard.templating).list)
  const given = all.slice(0, MAX_VARIABLES)
  const inputs = inputValues(dashboard)
  const forSql = new Map<string, SqlVariable>()
  const variables: Variable[] = []
  const reports = new Map<Fields, VariableReport>()
  for (const variable of byNeed(given)) {
    yield
    const name = textOf(variable.name)
    const notes = new Notes()
    const taken = refusal(name, forSql, notes) ? undefined : madeOf(variable, { sources, inputs, forSql, notes })
    reports.set(variable, {
      name: shortened(name, 200),
      outcome: taken ? notes.outcome() : 'left out',
      notes: notes.list()
    })
    if (taken === undefined) continue
    const label = shortened(lineOf(variable.label), MAX_LABEL_CHARS)
    variables.push({ name, ...(label !== '' && label !== name && { label }), ...taken })
    forSql.set(name, sqlFacts(taken))
  }
  return {
    variables,
    reports: given.map((variable) => reports.get(variable) as VariableReport),
    forSql,
    tooMany: all.length - given.length
  }
}

/** In their order, but those first that another one's query mentions. */
function byNeed(given: readonly Fields[]): Fields[] {
  const names = new Set(given.map(({ name }) => textOf(name)))
  const needs = new Map(
    given.map((each) => {
      const mentioned = mentionsIn(shortened(queryText(each), 20_000)).map(({ name }) => name)
      return [each, mentioned.filter((name) => names.has(name) && name !== textOf(each.name))] as const
    })
  )
  const left = [...given]
  const done = new Set<string>()
  const ordered: Fields[] = []
  while (left.length > 0) {
    const ready = left.findIndex((each) => needs.get(each)?.every((name) => done.has(name)))
    // Those that need each other come as they stand; what they can't have is told where it is used.
    const [next] = left.splice(Math.max(0, ready), 1) as [Fields]
    done.add(textOf(next.name))
    ordered.push(next)
  }
  return ordered
}

function refusal(name: string, known: SqlVariables, notes: Notes): boolean {
  if (!NAME.test(name)) notes.add('Its name must begin with a letter and have at most 64 letters, digits and _.')
  else if (BUILT_IN.some((each) => each === name.toLowerCase()))
    notes.add(`$${name} is what every panel knows already.`)
  else if (known.keys().some((each) => each.toLowerCase() === name.toLowerCase()))
    notes.add('There is another one of that name.')
  else return false
  return true
}

interface Around {
  readonly sources: DataSources
  readonly inputs: ReadonlyMap<string, string>
  readonly forSql: SqlVariables
  readonly notes: Notes
}

function madeOf(variable: Fields, around: Around): Taken | undefined {
  const { notes, inputs } = around
  const type = textOf(variable.type)
  switch (type) {
    case 'constant':
    case 'textbox': {
      const written = textOf(variable.query) || textOf(objectOf(variable.current).value)
      const value = notes.cut(inputs.get(written) ?? written, MAX_VALUE_CHARS, 'Its value')
      if (type === 'textbox') notes.add('It can’t be typed in here: it is a constant.')
      return { type: 'constant', value }
    }
    case 'custom':
    case 'interval':
      return list(variable, listedValues(variable, notes), notes)
    case 'query':
      return queried(variable, around)
    case 'datasource':
      notes.add('Panels read what its data source was said to be here.')
      return undefined
    default:
      notes.add(`Variables of the type ${shortened(type, 50) || 'that is not said'} are not known here.`)
      return undefined
  }
}

function list(variable: Fields, values: Values, notes: Notes): Taken | undefined {
  if (values.length === 0) {
    notes.add('It has no values.')
    return undefined
  }
  const multiple = several(variable, notes)
  const chosen = chosenAtFirst(variable, multiple, values)
  return {
    type: 'list',
    values: values.map(({ value, label }) => ({ value, ...(label !== value && label !== '' && { label }) })),
    ...(multiple && { multiple }),
    ...(chosen.length > 0 && { default: chosen })
  }
}

/** Grafana has a choice `All`; here several can be chosen, and so can all of them. */
function several(variable: Fields, notes: Notes): boolean {
  if (variable.includeAll === true) notes.add('There is no value for all: choose each of them.')
  if (textOf(variable.allValue) !== '') notes.add(`The value ${textOf(variable.allValue)} for all of them is left out.`)
  return variable.multi === true || variable.includeAll === true
}

function queried(variable: Fields, { sources, forSql, notes }: Around): Taken | undefined {
  const source = sources.find(variable.datasource)
  const language = languageOf(source.type)
  const sql = queryText(variable)
  const isSql = language !== 'influx' && (language !== 'other' || /^\s*(?:select|with)\b/i.test(sql))
  const tooMuch = isSql ? sources.takeQuery(sql) : undefined
  const found =
    tooMuch !== undefined
      ? { problem: tooMuch }
      : isSql && source.target !== undefined
        ? sqlQuery(sql, language === 'other' ? 'postgres' : language, source.target, forSql)
        : undefined
  if (found === undefined || 'problem' in found) {
    const missing = isSql
      ? `it was not said what the data source ${source.name} is here`
      : `queries for ${source.type || source.name} can’t be run here`
    return lastKnown(variable, found?.problem ?? missing, notes)
  }
  sources.reads(source, found.tables)
  notes.add(...found.notes)
  if (textOf(variable.regex) !== '') notes.add(`Its values are not chosen or cut by ${textOf(variable.regex)}.`)
  if ((numberOf(variable.sort) ?? 0) > 0) notes.add('Its values come in the order of its query.')
  const multiple = several(variable, notes)
  const chosen = chosenAtFirst(variable, multiple, undefined)
  return {
    type: 'query',
    query: { ...found.query, sql: valueFirst(found.query.sql) },
    ...(multiple && { multiple }),
    ...(chosen.length > 0 && { default: chosen })
  }
}

/** A list of the values that Grafana had, where its query means nothing here. */
function lastKnown(variable: Fields, problem: string, notes: Notes): Taken | undefined {
  const values = keptValues(variable, notes)
  if (values.length > 0) notes.add(`It is a list of what Grafana knew last: ${problem}.`)
  else notes.add(`None of its values are known: ${problem}.`)
  return values.length > 0 ? list(variable, values, notes) : undefined
}

/** The text of a query, wherever it is kept. */
function queryText(variable: Fields): string {
  const { query } = variable
  if (!isObject(query)) return textOf(query)
  return textOf(query.rawSql) || textOf(query.query) || textOf(query.expr)
}

/** Grafana knows value and label by their names, which may come in any order; here the value comes first. */
function valueFirst(sql: string): string {
  if (!/\b__value\b/.test(sql) || !/\b__text\b/.test(sql)) return sql
  return `SELECT "__value", "__text" FROM (${sql})`
}

function sqlFacts({ type, multiple, value, values }: Taken): SqlVariable {
  const known = type === 'constant' ? [value ?? ''] : values?.map((each) => each.value)
  return { type, multiple: multiple ?? false, values: known }
}
