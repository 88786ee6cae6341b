import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { compareAsJson } from '../../../../engines/json-equal.ts'
import { withinTime } from './time-limit.ts'

const MAX_SCHEMA_CHARS = 65_536
const MAX_PATTERN_CHARS = 200
const MAX_DEPTH = 64
const MAX_REASON_CHARS = 500

/** What is wrong with a record; undefined where nothing is. */
export type Validator = (record: unknown) => string | undefined

/** Time that compiling a schema may take. One of 64 KiB takes well under a second. */
const MAX_COMPILE_MS = 5000

interface Refusal {
  readonly code: 'invalid_schema' | 'schema_too_complex'
  /** Completes "the schema …". */
  readonly problem: string
}

/** A schema of a user's as a function, or what is wrong with it. Takes up to some seconds: to be called where nobody waits. */
export function compileSchema(schema: object, limitMs = MAX_COMPILE_MS): Validator | Refusal {
  const problem = plainProblem(schema)
  if (problem !== undefined) return { code: 'invalid_schema', problem }
  const ajv = ajvFor(String((schema as { $schema?: unknown }).$schema ?? ''))
  return withinTime(limitMs, () => compile(ajv, schema)) ?? tooComplex(limitMs)
}

function compile(ajv: import('ajv').Ajv, schema: object): Validator | Refusal {
  try {
    const validate = ajv.compile(schema)
    if ('$async' in validate) return { code: 'invalid_schema', problem: 'must not be asynchronous' }
    return (record) => (validate(record) ? undefined : say(validate.errors?.[0]))
  } catch (error) {
    const why = (error as Error).message.slice(0, MAX_REASON_CHARS)
    return { code: 'invalid_schema', problem: `is no JSON Schema: ${why}` }
  }
}

const tooComplex = (limitMs: number): Refusal => ({
  code: 'schema_too_complex',
  problem: `takes more than ${limitMs / 1000} s to compile; divide it between several validate nodes, or let it refer less`
})

type AjvClass = new (options: object) => import('ajv').Ajv

/** Each draft has its own; what says none is of the newest. */
function ajvFor(draft: string): import('ajv').Ajv {
  // Loaded where it is used: it takes longer than all other nodes together.
  const require = createRequire(import.meta.url)
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: object) => void }
  const { default: Ajv } = moduleFor(require, draft)
  compareAsJson()
  const ajv = new Ajv({
    allErrors: false,
    strict: false,
    ownProperties: true,
    validateFormats: true,
    // Code as long as the schema: else what is referred to is written out wherever it is, gigabytes of it for a few kilobytes.
    inlineRefs: false
  })
  if (/draft-06/.test(draft)) ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  addFormats(ajv)
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

/** What can be told without compiling it. */
export function plainProblem(schema: object): string | undefined {
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
