import type { TagType } from '../index.ts'
import type { Refusal } from './tally.ts'
import { shown } from './text.ts'

export const MAX_NAME_BYTES = 1_024

export function nameTooLong(): Refusal {
  return { code: 'name_too_long', message: `the name of a tag, with its labels, may have ${MAX_NAME_BYTES} bytes` }
}

export function tooManyTags(name: string): Refusal {
  return {
    code: 'too_many_tags',
    message: `the source has as many tags as it may have; ${shown(name)} would be one more`
  }
}

/**
 * The message for a value of the wrong type. `given` and `advice` as in: this line has an integer: write 5.0 or 5,
 * without i.
 */
export function typeConflict(name: string, type: TagType, given: string, advice: string): Refusal {
  return { code: 'type_conflict', message: `tag ${shown(name)} is ${type}; ${given}: ${advice}` }
}
