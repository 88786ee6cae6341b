import type { Effort } from '../../../effort.ts'
import { SchemaFault } from '../../../fault.ts'
import type { Random } from '../../../format.ts'
import { isNode, type JsonModel, type SchemaNode } from '../../model.ts'
import { type PlainPlace, type PlainSchema, textOfPlace } from '../plain.ts'
import { type Validator, validatorOf } from '../validator.ts'
import { generate } from './generate.ts'
import { heightsOf } from './heights.ts'
import { DeadEnd } from './making.ts'

/** The later, the less is added that need not be there. */
const ATTEMPTS = 12

/** A value that fits the schema. It is checked: what is made with regard to each keyword alone may not fit all of them. */
export function example(model: JsonModel, random: Random, effort: Effort): unknown {
  const validator = validatorOf(model, effort)
  const { plain } = validator
  const heights = heightsOf(plain, effort)
  if (heights.get(plain.document) === Infinity) {
    throw unsupported(
      'Values of the schema never end: it asks for a value of itself within each',
      plain.placeOf(plain.document)
    )
  }
  let place: PlainPlace | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const generosity = Math.max(0, 1 - attempt / (ATTEMPTS / 2))
    const making = { validator, plain, random, effort, heights, generosity, count: { made: 0, repeated: 0 } }
    try {
      const value = generate([plain.document], making, { name: '', depth: 0 })
      if (validator.fits(value)) return value
      place = placeOfError(validator, value)
    } catch (error) {
      if (!(error instanceof DeadEnd)) throw error
      place = error.place
    }
  }
  const where = place === undefined ? '' : ` at ${textOfPlace(place) || 'the top'}`
  throw unsupported(`No example was found: nothing that was tried fits what the schema says${where}`, place)
}

function unsupported(message: string, place: PlainPlace | undefined): SchemaFault {
  return new SchemaFault('unsupported', message, place)
}

function placeOfError(validator: Validator, value: unknown): PlainPlace | undefined {
  const [error] = validator.errorsOf(value, true)
  return error === undefined ? undefined : originOf(validator.plain, error.schemaPath)
}

/** The path is one in the plain schema; the place is that of the innermost node on it that was taken from the schema. */
function originOf(plain: PlainSchema, path: string): PlainPlace | undefined {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  let place: PlainPlace | undefined
  let node: unknown = plain.document
  for (const step of steps) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) break
    if (isNode(node)) place = plain.placeOf(node, step) ?? place
    node = (node as SchemaNode)[step]
  }
  return place
}
