import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { compareAsJson } from '../../../json-equal.ts'
import { type Effort, SchemaFault } from '../../fault.ts'
import type { ValueFault } from '../../format.ts'
import { type JsonModel, makePattern, type SchemaNode } from '../model.ts'
import { makePlain, type PlainSchema } from './plain.ts'

const MAX_FAULTS = 100
/** Every value can be refused by every node, and all of it is kept until the end. */
const MAX_CHECKS_FOR_ALL = 2_000_000

export function faultsOf(model: JsonModel, value: unknown, effort: Effort): ValueFault[] {
  const validator = validatorOf(model, effort)
  const errors = validator.errorsOf(value, sizeOf(value, effort) * validator.plain.size <= MAX_CHECKS_FOR_ALL)
  const searches = errors.filter(({ keyword }) => keyword === 'contains').map(({ schemaPath }) => `${schemaPath}/`)
  const faults = new Map<string, ValueFault>()
  for (const error of errors) {
    if (faults.size === MAX_FAULTS) break
    // Why each item is not the one that is looked for helps nobody.
    if (searches.some((path) => error.schemaPath.startsWith(path))) continue
    const fault = faultOf(error)
    faults.set(`${fault.pointer} ${fault.message}`, fault)
  }
  return [...faults.values()]
}

function faultOf(error: ErrorObject): ValueFault {
  return { pointer: error.instancePath, message: sentenceOf(error) }
}

function sizeOf(value: unknown, effort: Effort): number {
  let size = 0
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    size++
    effort.spend()
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) left.push(inner)
  }
  return size
}

const MAX_SHOWN = 10
const MAX_SHOWN_CHARS = 60
type Params = Readonly<Record<string, unknown>>

const SENTENCES = new Map<string, (params: Params) => string>([
  ['type', ({ type }) => `It must be ${[type].flat().map(withArticle).join(' or ')}.`],
  ['required', ({ missingProperty }) => `It lacks the property ${show(missingProperty)}.`],
  ['additionalProperties', ({ additionalProperty }) => notAllowed(additionalProperty)],
  ['unevaluatedProperties', ({ unevaluatedProperty }) => notAllowed(unevaluatedProperty)],
  ['propertyNames', ({ propertyName }) => `The name of the property ${show(propertyName)} is not allowed.`],
  ['enum', ({ allowedValues }) => `It must be one of ${list(allowedValues)}.`],
  ['const', ({ allowedValue }) => `It must be ${show(allowedValue)}.`],
  ['minLength', ({ limit }) => `It must have at least ${count(limit, 'character')}.`],
  ['maxLength', ({ limit }) => `It must have at most ${count(limit, 'character')}.`],
  ['minItems', ({ limit }) => `It must have at least ${count(limit, 'item')}.`],
  ['maxItems', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['items', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['unevaluatedItems', ({ limit }) => `It must have at most ${count(limit, 'item')}.`],
  ['minProperties', ({ limit }) => `It must have at least ${count(limit, 'property')}.`],
  ['maxProperties', ({ limit }) => `It must have at most ${count(limit, 'property')}.`],
  ['minimum', ({ limit }) => `It must be at least ${limit}.`],
  ['maximum', ({ limit }) => `It must be at most ${limit}.`],
  ['exclusiveMinimum', ({ limit }) => `It must be greater than ${limit}.`],
  ['exclusiveMaximum', ({ limit }) => `It must be less than ${limit}.`],
  ['multipleOf', ({ multipleOf }) => `It must be a multiple of ${multipleOf}.`],
  ['pattern', ({ pattern }) => `It must match the pattern ${cut(String(pattern))}.`],
  ['format', ({ format }) => `It must have the format ${cut(String(format))}.`],
  ['uniqueItems', ({ i, j }) => `The items ${j} and ${i} are the same, which the schema does not allow.`],
  ['contains', ({ minContains, maxContains }) => contains(minContains, maxContains)],
  [
    'dependentRequired',
    ({ property, missingProperty }) =>
      `It lacks the property ${show(missingProperty)}, which is required beside ${show(property)}.`
  ],
  ['not', () => 'It fits a schema that it must not fit (`not`).'],
  ['anyOf', () => 'It fits none of the alternatives (`anyOf`).'],
  ['oneOf', ({ passingSchemas }) => oneOf(passingSchemas)],
  ['if', ({ failingKeyword }) => `It does not fit what \`${failingKeyword}\` asks for.`],
  ['false schema', () => 'The schema allows no value here.']
])

/** The fault as a sentence for whoever made the value. */
function sentenceOf(error: ErrorObject): string {
  const sentence = SENTENCES.get(error.keyword)
  return sentence === undefined ? `It ${error.message ?? 'does not fit the schema'}.` : sentence(error.params)
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return type === 'object' || type === 'array' || type === 'integer' ? `an ${type}` : `a ${type}`
}

function notAllowed(name: unknown): string {
  return `It has the property ${show(name)}, which the schema does not allow.`
}

function contains(least: unknown, most: unknown): string {
  const upper = most === undefined ? '' : ` and at most ${most}`
  return `At least ${count(least, 'item')}${upper} must fit what \`contains\` asks for.`
}

function oneOf(fitting: unknown): string {
  if (!Array.isArray(fitting)) return 'It fits none of the alternatives (`oneOf`).'
  return `It fits the alternatives ${fitting.join(' and ')} of \`oneOf\`, counted from 0, and must fit only one.`
}

function list(values: unknown): string {
  const all = Array.isArray(values) ? values : [values]
  const more = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : ''
  return `${all.slice(0, MAX_SHOWN).map(show).join(', ')}${more}`
}

function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'nothing')
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
}

function count(limit: unknown, what: 'character' | 'item' | 'property'): string {
  if (limit === 1) return `1 ${what}`
  return `${limit} ${what === 'property' ? 'properties' : `${what}s`}`
}

/** Validators by model. They are freed together with it. */
const validators = new WeakMap<JsonModel, Validator>()
const MAX_NODE_VALIDATORS = 300
const MAX_REASON_CHARS = 200

export function validatorOf(model: JsonModel, effort: Effort): Validator {
  const known = validators.get(model)
  if (known !== undefined) return known
  const made = new Validator(makePlain(model, effort))
  validators.set(model, made)
  return made
}

/** A schema made ready to check values with it. */
export class Validator {
  readonly plain: PlainSchema
  readonly #hasUnevaluated: boolean
  readonly #compilers = new Map<boolean, Compile>()
  readonly #validates = new Map<SchemaNode | 'first', ValidateFunction>()

  constructor(plain: PlainSchema) {
    this.plain = plain
    this.#hasUnevaluated = JSON.stringify(plain.document).includes('"unevaluated')
  }

  fits(value: unknown): boolean {
    return this.#check(this.plain.document, value, true).length === 0
  }

  /** Whether the value fits one node of the plain schema, wherever it stands; true where it would take too much. */
  fitsNode(node: SchemaNode, value: unknown): boolean {
    if (this.#validates.size >= MAX_NODE_VALIDATORS && !this.#validates.has(node)) return true
    return this.#check(node, value, true).length === 0
  }

  /** All errors, or the first, which takes less memory. */
  errorsOf(value: unknown, all: boolean): readonly ErrorObject[] {
    return this.#check(this.plain.document, value, all)
  }

  #check(node: SchemaNode, value: unknown, all: boolean): readonly ErrorObject[] {
    try {
      const validate = this.#validateOf(node, all)
      return validate(value) ? [] : (validate.errors ?? [])
    } catch (error) {
      // Recursion has no bound but the stack, neither in schemas nor in values.
      if (error instanceof RangeError) {
        throw new SchemaFault('too_complex', 'The value or the schema is nested too deeply to be checked')
      }
      // Where alternatives fail beside `patternProperties`, ajv 8 writes to a list that it did not make.
      if (all && node === this.plain.document) return this.#check(node, value, false)
      const reason = error instanceof Error ? error.message.slice(0, MAX_REASON_CHARS) : 'unknown'
      throw new SchemaFault(
        'unsupported',
        `The schema combines keywords in a way that values can't be checked: ${reason}`
      )
    }
  }

  #validateOf(node: SchemaNode, all: boolean): ValidateFunction {
    const key = all ? node : 'first'
    const known = this.#validates.get(key)
    if (known !== undefined) return known
    const compile = this.#compilers.get(all) ?? makeCompiler(all, this.#hasUnevaluated)
    this.#compilers.set(all, compile)
    const { document } = this.plain
    const made = compile(node === document ? node : { allOf: [node], $defs: document.$defs })
    this.#validates.set(key, made)
    return made
  }
}

type Compile = (schema: object) => ValidateFunction

/** How far a quotient may be from a whole number: what is said in tenths has no exact one. */
const MULTIPLE_DIGITS = 9

/**
 * Makes functions of plain schemas. It remembers all it was given, so it has to go with the schema.
 * Without `all` a function stops at the first error, and is wrong at times: it does not see that a property with an empty
 * name is missing, nor what `contains` asks of an empty array beside `prefixItems`.
 */
function makeCompiler(all: boolean, hasUnevaluated: boolean): Compile {
  // Loaded where it is used: most of what is asked of schemas needs no validator.
  const require = createRequire(import.meta.url)
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: object) => void }
  compareAsJson()
  const ajv = new Ajv2020({
    allErrors: all,
    strict: false,
    ownProperties: true,
    validateFormats: true,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    multipleOfPrecision: MULTIPLE_DIGITS,
    // To tidy up the code takes longer than to run it untidy, which is done a few times.
    code: { optimize: false, regExp: Object.assign(makePattern, { code: 'makePattern' }) }
  })
  // The constructor ignores this option. Most schemas don't need ajv to record what was evaluated.
  ajv.opts.unevaluated = hasUnevaluated
  addFormats(ajv)
  return (schema) => ajv.compile(schema)
}
