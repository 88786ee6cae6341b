import type { ErrorObject } from 'ajv'
import type { Effort } from '../../effort.ts'
import type { ValueFault } from '../../format.ts'
import type { JsonModel } from '../model.ts'
import { sentenceOf } from './sentences.ts'
import { validatorOf } from './validator.ts'

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
