import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { formOf } from '../keywords.ts'
import type { Draft } from '../model.ts'
import type { Loose } from './random-schema.ts'

export interface Validator {
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

/** By ajv, an implementation that is not ours. */
export function compile(schema: Loose, draft: Draft): Validator {
  const require = createRequire(import.meta.url)
  const { default: Ajv } = require(VALIDATORS[draft]) as typeof import('ajv')
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, logger: false, inlineRefs: false })
  ;(require('ajv-formats') as { default: (ajv: object) => void }).default(ajv)
  if (typeof schema === 'boolean') return ajv.compile(schema) as Validator
  return ajv.compile(new Adapted(draft).document(schema)) as Validator
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
