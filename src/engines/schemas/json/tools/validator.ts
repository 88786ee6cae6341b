import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Effort } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { JsonModel, SchemaNode } from '../model.ts'
import { type Compile, makeCompiler } from './compiler.ts'
import { makePlain } from './make-plain.ts'
import type { PlainSchema } from './plain.ts'

/** They are as good as parts of the model, and go with it. */
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
