import { invalidField } from '../../../errors.ts'
import { MAX_VARIABLES } from '../model/words.ts'
import type { ChosenValues } from './schema.ts'

const POINTER = '/query/variables'
const FORM = 'must be a JSON object whose members are texts or lists of texts, such as {"line": "2"}'
const MAX_VALUES = 1000
const MAX_CHARS = 1000

/** Reads what is chosen where it comes as a text in an address. */
export function chosenFromText(text: string | undefined): ChosenValues | undefined {
  if (text === undefined) return undefined
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(POINTER, FORM)
  const entries = Object.entries(value)
  if (entries.length > MAX_VARIABLES) throw invalidField(POINTER, `must have at most ${MAX_VARIABLES} members`)
  if (
    !entries.every(([, one]) => isText(one) || (Array.isArray(one) && one.length <= MAX_VALUES && one.every(isText)))
  ) {
    throw invalidField(POINTER, FORM)
  }
  return value as ChosenValues
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_CHARS

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField(POINTER, FORM)
  }
}
