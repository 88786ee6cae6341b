import { hash } from 'node:crypto'
import type { DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { Content, TimeRange, Variable } from '../model/schema.ts'
import { BUILT_IN } from '../model/words.ts'
import { type Failure, failureOf } from './failure.ts'
import { Kept, type KeptAsker } from './kept.ts'
import { parametersFor, relationsOf } from './question.ts'
import type { Reader } from './reader.ts'
import { masksOfRelations } from './rights.ts'
import { type ChosenValues, DEFAULT_MAX_POINTS } from './schema.ts'
import { type Chosen, namesIn } from './substitution.ts'
import { spanOf } from './time-span.ts'
import type { Viewer } from './viewer.ts'

/** Values that are shown to choose from. */
export const MAX_OPTIONS = 1000
/** Values that can be chosen, of those that SQL finds. */
const MAX_CHOICES = 10_000
const KEPT_BYTES = 16 * 1024 * 1024

export interface Option {
  readonly value: string
  readonly label: string
}

interface Options {
  readonly options: readonly Option[]
  readonly truncated: boolean
}

/** A variable with what can be chosen of it, and what is. */
export interface ResolvedVariable extends Options {
  readonly name: string
  readonly label: string
  readonly chosen: readonly string[]
  readonly error: Failure | null
}

interface Needs {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
  readonly reader: Pick<Reader, 'rows'>
}

export interface Wanted {
  readonly content: Pick<Content, 'variables' | 'refreshSeconds'>
  readonly given: ChosenValues
  readonly range: TimeRange
  readonly signal: AbortSignal
  /** Whoever may be told to come back, where somebody may. */
  readonly waiting?: KeptAsker
}

/** What is chosen of the variables of a dashboard, one after the other: SQL of one can name those before it. */
export class Variables {
  readonly #needs: Needs
  readonly #kept: Kept<Options>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#kept = new Kept({ clock: needs.clock, maxBytes: KEPT_BYTES, sizeOf: sizeOfOptions })
  }

  /** Throws where what is given can’t be chosen. What can’t be read of one variable is an error of that one. */
  async resolve(viewer: Viewer, wanted: Wanted): Promise<ResolvedVariable[]> {
    const { content, given, signal } = wanted
    const faults: FieldError[] = Object.keys(given)
      .filter((name) => !content.variables.some((variable) => variable.name === name))
      .map((name) => ({ pointer: `/variables/${name}`, message: 'is no variable of the dashboard' }))
    const resolved: ResolvedVariable[] = []
    for (const variable of content.variables) {
      const { name, label = name } = variable
      const asked = Object.hasOwn(given, name) ? given[name] : undefined
      try {
        const found = await this.#optionsOf(viewer, variable, resolved, wanted)
        const chosen = chosenOf(variable, found, asked)
        if ('message' in chosen) faults.push({ pointer: `/variables/${name}`, message: chosen.message })
        resolved.push({ name, label, ...found, chosen: 'message' in chosen ? [] : chosen.values, error: null })
      } catch (error) {
        signal.throwIfAborted()
        const failure = failureOf(error, this.#needs.log, variable.query)
        resolved.push({ name, label, options: [], truncated: false, chosen: [], error: failure })
      }
    }
    if (faults.length > 0) throw new Problem('unprocessable', { errors: faults })
    return resolved
  }

  async #optionsOf(
    viewer: Viewer,
    variable: Variable,
    before: readonly ResolvedVariable[],
    wanted: Wanted
  ): Promise<Options> {
    const { type, value = '', query } = variable
    if (type === 'constant') return { options: [{ value, label: value }], truncated: false }
    if (type === 'list' || query === undefined) return listed(variable.values)
    requireReadable(query.sql, before)
    const { content, range, signal, waiting } = wanted
    const relations = relationsOf(query)
    const masks = await masksOfRelations(viewer, relations)
    const parameters = parametersFor(query.sql, { variables: content.variables, chosen: chosenIn(before) })
    const isTimed = namesIn(query.sql).some((name) => (BUILT_IN as readonly string[]).includes(name.toLowerCase()))
    const key = JSON.stringify([query.sql, relations, parameters, isTimed ? range : null, [...masks]])
    const keepMs = (content.refreshSeconds ?? 0) * 1000
    const read = async (reading: AbortSignal) => {
      const question = { kind: 'sql', sql: query.sql, relations, parameters, shape: 'table' } as const
      const span = spanOf(range, this.#needs.clock.now())
      const asked = { ...question, maxPoints: DEFAULT_MAX_POINTS }
      const { rows, truncated } = await this.#needs.reader.rows(asked, span, masks, MAX_CHOICES, reading)
      return { options: optionsFrom(rows), truncated }
    }
    const { value: found } = await this.#kept.ask(
      hash('sha256', key, 'base64'),
      keepMs,
      waiting ?? { signal, isLate: false },
      read
    )
    return found
  }
}

/** What is chosen, by name; variables that can’t be read have nothing. */
export const chosenIn = (resolved: readonly ResolvedVariable[]): Chosen =>
  new Map(resolved.filter(({ error }) => error === null).map(({ name, chosen }) => [name, chosen]))

/** Throws where SQL or names speak of a variable that can’t be read. */
export function requireReadable(text: string, resolved: readonly ResolvedVariable[]): void {
  const named = new Set(namesIn(text).map((name) => name.toLowerCase()))
  for (const { name, error } of resolved) {
    if (error === null || !named.has(name.toLowerCase())) continue
    throw new Problem('unprocessable', { detail: `The values of $${name} can’t be read: ${error.detail}` })
  }
}

/** What is wrong with a choice, as far as that can be told without reading data; undefined where nothing is. */
export function choiceFault(variable: Variable, given: ChosenValues[string]): string | undefined {
  if (variable.type === 'constant') return 'is a constant'
  // SQL may find any value.
  const known = variable.type === 'query' ? [given].flat().map((value) => ({ value })) : variable.values
  const chosen = chosenOf(variable, listed(known), given)
  return 'message' in chosen ? chosen.message : undefined
}

const listed = (values: Variable['values'] = []): Options => ({
  options: values.map(({ value, label = value }) => ({ value, label })),
  truncated: false
})

function chosenOf(
  { type, multiple = false, default: first }: Variable,
  { options }: Options,
  given: ChosenValues[string] | undefined
): { readonly values: readonly string[] } | { readonly message: string } {
  const known = new Set(options.map(({ value }) => value))
  if (given === undefined) {
    const values = (first ?? []).filter((value) => known.has(value)).slice(0, multiple ? undefined : 1)
    return { values: values.length > 0 ? values : options.slice(0, 1).map(({ value }) => value) }
  }
  const values = typeof given === 'string' ? [given] : [...new Set(given)]
  if (!multiple && values.length !== 1) return { message: 'takes one value' }
  const other = values.find((value) => !known.has(value))
  if (other === undefined) return { values }
  if (type === 'constant') return { message: 'is a constant: leave it out' }
  return { message: `can’t be ${JSON.stringify(other.slice(0, 100))}: choose one of its values` }
}

function optionsFrom(rows: readonly DataRow[]): Option[] {
  const options = new Map<string, Option>()
  for (const [value = null, label = null] of rows) {
    const text = textOf(value)
    if (text !== null && !options.has(text)) options.set(text, { value: text, label: textOf(label) ?? text })
  }
  return [...options.values()]
}

const textOf = (value: DataValue): string | null =>
  value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

const sizeOfOptions = ({ options }: Options): number =>
  options.reduce((bytes, { value, label }) => bytes + 2 * (value.length + label.length) + 64, 200)
