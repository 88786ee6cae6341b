import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { Effort, SchemaFault } from '../../fault.ts'
import type { Dependency, Difference } from '../../format.ts'
import { differences } from '../compare/comparison.ts'
import { formOf } from '../drafts.ts'
import { DRAFTS, type Draft, type JsonModel } from '../model.ts'
import { parse } from '../parse.ts'
import { Chance, type Loose, mutate, SchemaMaker } from './random-schema.ts'
import { valueFor } from './random-value.ts'

export const ADDRESSES: Readonly<Record<Draft, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema'
}

interface Outcome {
  /** How many values fitted the written schema. */
  readonly tried: number
  readonly breaks: boolean
}

/** A pair of schemas of which one came of the other, and values: whoever is said to be able to read them can. */
export function checkPair(seed: number, valuesEach: number): Outcome | undefined {
  const chance = new Chance(seed)
  const draft = chance.pick(DRAFTS)
  const maker = new SchemaMaker(chance, draft)
  const first = maker.document()
  const second = chance.is(0.1) ? maker.document() : mutate(first, chance, maker)
  const [written, read] = chance.is(0.5) ? [first, second] : [second, first]
  const drafts: [Draft, Draft] = [draft, chance.is(0.1) ? chance.pick(DRAFTS) : draft]
  const models = [modelOfDraft(written, drafts[0]), modelOfDraft(read, drafts[1])]
  if (models[0] === undefined || models[1] === undefined) return undefined
  const found = differences(models[0], models[1], new Effort(1_000_000))
  if (found.some(({ rule }) => rule.breaks)) return { tried: 0, breaks: true }
  return { breaks: false, tried: tryValues([written, read], drafts, found, chance, valuesEach) }
}

interface Paths {
  readonly forth: string[]
  readonly back: string[]
  readonly itself: string[]
}

/** Where a pair of schemas differs, in order and each once. */
export function pathsOf(seed: number): Paths | undefined {
  const chance = new Chance(seed)
  const draft = chance.pick(DRAFTS)
  const maker = new SchemaMaker(chance, draft)
  const first = maker.document()
  const [one, other] = [modelOfDraft(first, draft), modelOfDraft(mutate(first, chance, maker), draft)]
  if (one === undefined || other === undefined) return undefined
  const paths = (written: JsonModel, read: JsonModel) =>
    [...new Set(differences(written, read, new Effort(1_000_000)).map(({ path }) => path))].sort()
  return { forth: paths(one, other), back: paths(other, one), itself: paths(one, one) }
}

/** Undefined for a schema that is none, such as one that refers to itself. */
function modelOfDraft(schema: Loose, draft: Draft): JsonModel | undefined {
  try {
    const text = JSON.stringify(typeof schema === 'boolean' ? schema : { ...schema, $schema: ADDRESSES[draft] })
    return parse({ text, dependencies: [] }, new Effort(1_000_000)).model
  } catch (error) {
    if (error instanceof SchemaFault) return undefined
    throw error
  }
}

function tryValues(
  schemas: [Loose, Loose],
  drafts: [Draft, Draft],
  found: readonly Difference[],
  chance: Chance,
  count: number
): number {
  const fitsWritten = compile(schemas[0], drafts[0])
  let fitsRead: Validator | undefined
  let tried = 0
  for (let i = 0; i < count; i++) {
    const from = chance.pick(schemas)
    const value = valueFor(from, from, chance)
    if (fits(fitsWritten, value) !== true) continue
    tried++
    // Compiled only now: of many pairs no value fits what is written.
    fitsRead ??= compile(schemas[1], drafts[1])
    if (fits(fitsRead, value) !== false || isExcused(found, fitsRead.errors ?? [], value)) continue
    const what = {
      value,
      drafts,
      written: schemas[0],
      read: schemas[1],
      errors: fitsRead.errors?.map((each) => each.schemaPath)
    }
    assert.fail(
      `A reader refuses a value: ${JSON.stringify(what)}, found ${JSON.stringify(found.map((each) => [each.rule.code, each.path]))}`
    )
  }
  return tried
}

/** Undefined where the validator itself fails, as ajv does with some schemas of 2019. */
function fits(validator: Validator, value: unknown): boolean | undefined {
  try {
    return validator(value)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Keywords by which a value fails that contradicts what is assumed. */
const ASSUMED = new Map([
  ['json.required_with_default_added', 'required'],
  ['json.alternatives_may_overlap', 'oneOf']
])

function isExcused(found: readonly Difference[], errors: readonly ErrorObject[], value: unknown): boolean {
  return found.some(({ rule, after }) =>
    errors.some((error) =>
      rule.code === 'json.type_made_explicit'
        ? typeOf(valueAt(value, error.instancePath)) !== after
        : error.keyword === ASSUMED.get(rule.code)
    )
  )
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce(
    (inner, name) => (inner as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    value
  )
}

/** As the rule names it, which knows no integers apart from numbers. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export function modelOf(schema: unknown, dependencies: readonly Dependency[] = []): JsonModel {
  return parse({ text: JSON.stringify(schema), dependencies }, new Effort(100_000)).model
}

export function compare(written: unknown, read: unknown): Difference[] {
  return differences(modelOf(written), modelOf(read), new Effort(100_000))
}

/** Codes and paths, such as `required_added /required/a`. */
export function found(written: unknown, read: unknown): string[] {
  return compare(written, read).map(({ rule, path }) => `${rule.code.slice('json.'.length)} ${path}`)
}

interface Validator {
  (value: unknown): boolean
  errors?: readonly ErrorObject[] | null
}

const VALIDATORS: Readonly<Record<Draft, string>> = {
  'draft-04': 'ajv-draft-04',
  'draft-06': 'ajv',
  'draft-07': 'ajv',
  '2019-09': 'ajv/dist/2019.js',
  '2020-12': 'ajv/dist/2020.js'
}
const HOLDERS = ['definitions', '$defs']
const MAPS = [...HOLDERS, 'properties', 'patternProperties', 'dependencies', 'dependentSchemas']
const DATA = ['enum', 'const', 'default', 'required', 'type', 'dependentRequired']

const judges = new Map<Draft, InstanceType<typeof import('ajv').default>>()

/** Whether a schema is one by the schema of schemas of its draft. */
export function isSchemaByAjv(schema: object, draft: Draft): boolean {
  return judges.getOrInsertComputed(draft, makeJudge).validateSchema(schema) as boolean
}

function makeJudge(draft: Draft): InstanceType<typeof import('ajv').default> {
  const require = createRequire(import.meta.url)
  const { default: Ajv } = require(VALIDATORS[draft]) as typeof import('ajv')
  const ajv = new Ajv({ strict: false, logger: false })
  if (draft === 'draft-06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  ;(require('ajv-formats') as { default: (ajv: object) => void }).default(ajv)
  return ajv
}

/** What ajv remembers of schemas grows with each; to begin anew takes as long as to compile half of one. */
const MAX_COMPILED = 100
const compilers = new Map<Draft, { readonly ajv: InstanceType<typeof import('ajv').default>; compiled: number }>()

/** By ajv, an implementation that is not ours. */
function compile(schema: Loose, draft: Draft): Validator {
  const known = compilers.get(draft)
  const compiler = known !== undefined && known.compiled < MAX_COMPILED ? known : { ajv: makeAjv(draft), compiled: 0 }
  compilers.set(draft, compiler)
  compiler.compiled++
  if (typeof schema === 'boolean') return compiler.ajv.compile(schema) as Validator
  const adapted = new Adapted(draft).document(schema)
  const validator = compiler.ajv.compile(adapted) as Validator
  compiler.ajv.removeSchema(adapted)
  return validator
}

function makeAjv(draft: Draft): InstanceType<typeof import('ajv').default> {
  const require = createRequire(import.meta.url)
  const { default: Ajv } = require(VALIDATORS[draft]) as typeof import('ajv')
  const options = { strict: false, allErrors: true, validateSchema: false, logger: false, inlineRefs: false } as const
  // To tidy up the code takes longer than to run it untidy, which is done a few times.
  const ajv = new Ajv({ ...options, messages: false, code: { optimize: false } })
  ;(require('ajv-formats') as { default: (ajv: object) => void }).default(ajv)
  return ajv
}

/**
 * A schema without what ajv gets wrong: it knows keywords before their time, looks at what stands beside `$ref` when it
 * meant nothing, in a loop does not count anew what an array contains, unless that is a function of its own, and takes the
 * type of further items for that of all where they have to be unique.
 */
class Adapted {
  readonly #draft: Draft
  readonly #counting: { [name: string]: unknown } = {}

  constructor(draft: Draft) {
    this.#draft = draft
  }

  document(schema: object): object {
    const adapted = this.#members(schema)
    return {
      ...adapted,
      definitions: { ...((adapted as { definitions?: object }).definitions ?? {}), ...this.#counting }
    }
  }

  #schema(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#schema(each))
    if (typeof schema !== 'object' || schema === null) return schema
    const adapted = this.#members(schema)
    if (!('contains' in adapted)) return adapted
    const name = `counting${Object.keys(this.#counting).length}`
    this.#counting[name] = adapted
    return { $ref: `#/definitions/${name}` }
  }

  #members(schema: object): object {
    const hasOnlyRef = this.#draft.startsWith('draft') && '$ref' in schema
    const isKept = (name: string) => (hasOnlyRef ? name === '$ref' : formOf(name, this.#draft) !== undefined)
    const members = Object.entries(schema).filter(([name]) => HOLDERS.includes(name) || isKept(name))
    const adapted = Object.fromEntries(members.map(([name, value]) => [name, this.#within(name, value)]))
    for (const rest of ['items', 'additionalItems']) {
      if (adapted.uniqueItems === true && isPlainObject(adapted[rest])) adapted[rest] = { allOf: [adapted[rest]] }
    }
    return adapted
  }

  #within(name: string, value: unknown): unknown {
    if (DATA.includes(name)) return value
    if (!MAPS.includes(name)) return this.#schema(value)
    const members = Object.entries(value as object)
    return Object.fromEntries(members.map(([key, each]) => [key, Array.isArray(each) ? each : this.#schema(each)]))
  }
}

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
