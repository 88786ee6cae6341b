import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'

const MAX_SCHEMA_CHARS = 65_536
const MAX_PATTERN_CHARS = 200
const MAX_DEPTH = 64
const MAX_REASON_CHARS = 500

/** What is wrong with a record; undefined where nothing is. */
export type Validator = (record: unknown) => string | undefined

/** A schema of a user's as a function, or what is wrong with it. */
export function compileSchema(schema: object): Validator | { readonly problem: string } {
  const problem = problemOf(schema)
  if (problem !== undefined) return { problem }
  // Loaded where it is used: it takes longer than all other nodes together.
  const require = createRequire(import.meta.url)
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: object) => void }
  try {
    const ajv = ajvFor(require, String((schema as { $schema?: unknown }).$schema ?? ''))
    addFormats(ajv)
    const validate = ajv.compile(schema)
    if ('$async' in validate) return { problem: 'must not be asynchronous' }
    return (record) => (validate(record) ? undefined : say(validate.errors?.[0]))
  } catch (error) {
    return { problem: `is no JSON Schema: ${(error as Error).message.slice(0, MAX_REASON_CHARS)}` }
  }
}

type AjvClass = new (options: object) => import('ajv').Ajv

/** Each draft has its own; what says none is of the newest. */
function ajvFor(require: NodeJS.Require, draft: string): import('ajv').Ajv {
  const { default: Ajv } = moduleFor(require, draft)
  const ajv = new Ajv({ allErrors: false, strict: false, ownProperties: true, validateFormats: true })
  if (/draft-06/.test(draft)) ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  return ajv
}

function moduleFor(require: NodeJS.Require, draft: string): { default: AjvClass } {
  if (/draft-04/.test(draft)) return require('ajv-draft-04')
  if (/draft-0[67]/.test(draft)) return require('ajv')
  return /2019-09/.test(draft) ? require('ajv/dist/2019.js') : require('ajv/dist/2020.js')
}

function say(error: ErrorObject | undefined): string {
  const where = error?.instancePath === '' ? 'The record' : error?.instancePath
  const extra = error?.params.additionalProperty ?? error?.params.unevaluatedProperty
  const what = `${where} ${error?.message ?? 'is not valid'}${extra === undefined ? '' : `: ${extra}`}`
  return what.slice(0, MAX_REASON_CHARS)
}

function problemOf(schema: object): string | undefined {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return `must have at most ${MAX_SCHEMA_CHARS} characters`
  const left: [value: unknown, depth: number][] = [[schema, 0]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} deep`
    const { $ref, pattern, patternProperties } = value as Record<string, unknown>
    if (typeof $ref === 'string' && !$ref.startsWith('#'))
      return `must not refer to other schemas: ${$ref.slice(0, 100)}`
    const patterns = [pattern, ...Object.keys(Object(patternProperties))].filter((text) => typeof text === 'string')
    if (patterns.some((text) => text.length > MAX_PATTERN_CHARS))
      return `must not hold patterns of more than ${MAX_PATTERN_CHARS} characters`
    left.push(...Object.values(value).map((inner): [unknown, number] => [inner, depth + 1]))
  }
  return undefined
}
