import type { ErrorObject, ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { nearestName } from '../data/nearest-name.ts'
import { type FieldError, Problem } from '../errors.ts'
import { serializerOf, validators } from './schema-libraries.ts'
import type { TSchema } from './type.ts'

const MAX_ERRORS = 20

/** The schema of operations that take no query. Nearly every request comes without one, and is accepted at once. */
export const NO_QUERY = { type: 'object', additionalProperties: false }

function isEmpty(value: unknown): boolean {
  for (const _ in value as object) return false
  return true
}

const SMALL_VALUES = 1000

/**
 * Whether it is cheap to look for every fault: a megabyte can hold half a million, and only a few of them are
 * reported.
 */
function isSmall(body: unknown): boolean {
  const found = [body]
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue
    // `for … in` would first make a list of all names.
    if (Array.isArray(value) && value.length > SMALL_VALUES) return false
    for (const name in value) {
      if (found.push((value as Record<string, unknown>)[name]) > SMALL_VALUES) return false
    }
  }
  return true
}

const WHERE: Record<string, string> = { querystring: '/query', params: '/path', body: '' }

interface BodySchema {
  /** Fields that the resource has and this operation does not take. */
  readonly fixedFields?: readonly string[]
  readonly properties?: object
}

/** The schema of a change's body, which also knows the fields that can't be changed: they are refused by name. */
export function withFixedFields(body: TSchema, answer: TSchema): TSchema & BodySchema {
  const fieldsOf = (schema: TSchema) => Object.keys((schema as { properties?: object }).properties ?? {})
  // Validators accept a name only once, and another platform in this process has a schema of that name too.
  const { $id: _name, ...nameless } = body as TSchema & { $id?: string }
  return { ...nameless, fixedFields: fieldsOf(answer).filter((field) => !fieldsOf(body).includes(field)) }
}

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart = 'body' }) => {
  let compiled: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  const prefix = WHERE[httpPart] ?? ''
  return (value: unknown) => {
    if (schema === NO_QUERY && isEmpty(value)) return { value }
    compiled ??= validators()[prefix === '' ? 'bodies' : 'texts'].compile(schema)
    if (compiled(value)) return { value }
    // Nothing can exist at a path whose parameters are not valid.
    if (httpPart === 'params') return { error: new Problem('not_found') }
    let { errors } = compiled
    if (prefix === '' && isSmall(value)) {
      thorough ??= validators().smallBodies.compile(schema)
      thorough(value)
      errors = thorough.errors
    }
    return { error: new Problem('invalid_request', { errors: toFieldErrors(errors ?? [], prefix, schema) }) }
  }
}

/** What is wrong with a part of a body whose schema is only known once the rest is; pointers begin at that part. */
export function faultsOf(schema: TSchema, value: unknown): FieldError[] {
  const validate = validators()[isSmall(value) ? 'smallBodies' : 'bodies'].compile(schema)
  return validate(value) ? [] : toFieldErrors(validate.errors ?? [], '', schema)
}

export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let compiled: ((value: unknown) => string) | undefined
  return (value: unknown) => {
    compiled ??= serializerOf(schema)
    return compiled(value)
  }
}

function toFieldErrors(errors: ErrorObject[], prefix: string, schema: BodySchema): FieldError[] {
  const found = new Map<string, string>()
  for (const error of errors) {
    const pointer = prefix + error.instancePath + named(error)
    if (!found.has(pointer)) found.set(pointer, say(error, prefix, schema))
    if (found.size === MAX_ERRORS) break
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }))
}

/** The path of the field: for a missing or unknown field ajv puts the name into `params`, not into the path. */
function named(error: ErrorObject): string {
  const name = error.params.missingProperty ?? error.params.additionalProperty ?? error.params.unevaluatedProperty
  return name === undefined ? '' : `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 200)}`
}

/** The property at the top of the body that the caller may have meant. */
function hintOf({ instancePath, params }: ErrorObject, properties: object): string {
  const written = String(params.additionalProperty ?? params.unevaluatedProperty)
  const meant = instancePath === '' ? nearestName(written, Object.keys(properties)) : undefined
  return meant === undefined ? '' : `; ${meant} is`
}

function say(error: ErrorObject, prefix: string, { fixedFields = [], properties = {} }: BodySchema): string {
  const expected = (error.parentSchema as { 'x-expected'?: string } | undefined)?.['x-expected']
  if (expected !== undefined && ['pattern', 'type', 'format'].includes(error.keyword)) return `must be ${expected}`
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      if (error.instancePath === '' && fixedFields.includes(error.params.additionalProperty)) return 'can’t be changed'
      return `is not a ${prefix === '/query' ? 'query parameter of this operation' : 'field of this resource'}${hintOf(error, properties)}`
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`
    case 'type':
      return error.instancePath === '' ? `must be a JSON ${error.params.type}` : `must be of type ${error.params.type}`
    case 'pattern':
      return `must match ${error.params.pattern}`
    default:
      return error.message ?? 'is not valid'
  }
}
