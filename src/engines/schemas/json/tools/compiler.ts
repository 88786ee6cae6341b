import { createRequire } from 'node:module'
import type { ValidateFunction } from 'ajv'
import { compareAsJson } from '../../../json-equal.ts'
import { makePattern } from './make-pattern.ts'

export type Compile = (schema: object) => ValidateFunction

/** How far a quotient may be from a whole number: what is said in tenths has no exact one. */
const MULTIPLE_DIGITS = 9

/**
 * Makes functions of plain schemas. It remembers all it was given, so it has to go with the schema.
 * Without `all` a function stops at the first error, and is wrong at times: it does not see that a property with an empty
 * name is missing, nor what `contains` asks of an empty array beside `prefixItems`.
 */
export function makeCompiler(all: boolean, hasUnevaluated: boolean): Compile {
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
  // The constructor takes no other; most schemas need no book about what was evaluated.
  ajv.opts.unevaluated = hasUnevaluated
  addFormats(ajv)
  return (schema) => ajv.compile(schema)
}
