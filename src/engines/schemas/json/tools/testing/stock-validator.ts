import { createRequire } from 'node:module'
import type { Options, ValidateFunction } from 'ajv'
import type { Draft } from '../../model.ts'

interface Ajv {
  compile(schema: unknown): ValidateFunction
  addMetaSchema(schema: object): void
}

const require = createRequire(import.meta.url)
const MODULES: Readonly<Record<Draft, string>> = {
  'draft-04': 'ajv-draft-04',
  'draft-06': 'ajv',
  'draft-07': 'ajv',
  '2019-09': 'ajv/dist/2019.js',
  '2020-12': 'ajv/dist/2020.js'
}

const known = new Map<Draft, Ajv>()

/**
 * A validator of the schema as it was written, by the implementation for its draft, but for what ajv gets wrong: where items have
 * to be unique it takes the type of further items for that of all. It answers nothing where it throws:
 * some combinations of alternatives with `patternProperties` and the like are more than ajv 8 can do.
 */
export function stockValidator(schema: unknown, draft: Draft): (value: unknown) => boolean | undefined {
  const ajv = known.get(draft) ?? makeAjv(draft)
  known.set(draft, ajv)
  const validate = ajv.compile(mended(schema))
  return (value) => {
    try {
      return validate(value) as boolean
    } catch {
      return undefined
    }
  }
}

function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended)
  if (typeof value !== 'object' || value === null) return value
  const node = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mended(inner)]))
  const rest = Array.isArray(node.items) ? 'additionalItems' : Array.isArray(node.prefixItems) ? 'items' : undefined
  if (node.uniqueItems === true && rest !== undefined && typeof node[rest] === 'object') {
    node[rest] = { allOf: [node[rest]] }
  }
  return node
}

function makeAjv(draft: Draft): Ajv {
  const { default: Ajv } = require(MODULES[draft]) as { default: new (options: Options) => Ajv }
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: object) => void }
  const ajv = new Ajv({ strict: false, ownProperties: true, logger: false, multipleOfPrecision: 9, allErrors: true })
  if (draft === 'draft-06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object)
  addFormats(ajv)
  return ajv
}
