import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Entry } from '../entry.ts'
import { ENTRY_FORM } from '../form.ts'
import { type EntryFault, faultsOf } from './faults.ts'
import { escaped } from './templates.ts'

/** Loaded where they are used: to list sources needs neither. */
const require = createRequire(import.meta.url)

const MAX_FAULTS = 100
/** More than any entry needs: the longest that is shipped has a tenth of it. */
const MAX_CHARS = 500_000

/** An entry that is not as it has to be, with all that is wrong with it. */
export class EntryError extends Error {
  readonly faults: readonly EntryFault[]

  constructor(faults: readonly EntryFault[]) {
    super(
      `The entry is not as it has to be: ${faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`
    )
    this.faults = faults.slice(0, MAX_FAULTS)
  }
}

/** An entry from its text, as YAML or JSON, or from what it says. */
export function parseEntry(given: string | object): Entry {
  const told = typeof given === 'string' ? readText(given) : given
  const validate = validator()
  if (!validate(told)) throw new EntryError((validate.errors ?? []).filter(isPlain).map(faultOf))
  const entry = told as unknown as Entry
  const faults = faultsOf(entry)
  if (faults.length > 0) throw new EntryError(faults)
  return entry
}

function readText(text: string): unknown {
  if (text.length > MAX_CHARS) throw new EntryError([{ pointer: '', message: `It has over ${MAX_CHARS} characters` }])
  const { parse } = require('yaml') as typeof import('yaml')
  try {
    return parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' })
  } catch (error) {
    // The YAML is wrong, or has aliases: a few of them could stand for any amount of text.
    const [message = ''] = (error as Error).message.split('\n')
    throw new EntryError([{ pointer: '', message: `It is no YAML without aliases: ${message}` }])
  }
}

let kept: ValidateFunction | undefined

/** Made when the first entry comes: most processes need none. */
function validator(): ValidateFunction {
  if (kept !== undefined) return kept
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, strict: false, ownProperties: true })
  ajv.addFormat('regex', { type: 'string', validate: isPattern })
  kept = ajv.compile(ENTRY_FORM)
  return kept
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

/** That none of several forms fits is told by what is wrong with each. */
const isPlain = ({ keyword }: ErrorObject) => keyword !== 'if' && keyword !== 'propertyNames'

function faultOf({ instancePath, keyword, params, message = 'It is not as it has to be' }: ErrorObject): EntryFault {
  const { additionalProperty, missingProperty, allowedValues, tagValue } = params as Record<string, unknown>
  if (keyword === 'additionalProperties')
    return { pointer: `${instancePath}/${escaped(String(additionalProperty))}`, message: 'There is no such field' }
  if (keyword === 'discriminator')
    return { pointer: `${instancePath}/kind`, message: `There is no kind ${JSON.stringify(tagValue ?? null)} here` }
  if (keyword === 'required') return { pointer: `${instancePath}/${String(missingProperty)}`, message: 'It is missing' }
  if (keyword === 'enum' && Array.isArray(allowedValues))
    return { pointer: instancePath, message: `It has to be one of ${allowedValues.join(', ')}` }
  return { pointer: instancePath, message: `It ${message}` }
}
