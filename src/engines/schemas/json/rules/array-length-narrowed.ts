import type { Rule } from '../../format.ts'
import { plural } from './words.ts'

export const arrayLengthNarrowed: Rule = {
  code: 'json.array_length_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Arrays with ${difference.path.endsWith('minItems') ? 'fewer' : 'more'} than ${plural(difference.after, 'items')}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
