import type { Rule } from '../../format.ts'
import { plural } from './words.ts'

export const stringLengthNarrowed: Rule = {
  code: 'json.string_length_narrowed',
  breaks: true,
  message: (difference, who) =>
    difference.path.endsWith('minLength')
      ? `Strings shorter than ${plural(difference.after, 'characters')}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
      : `Strings longer than ${plural(difference.after, 'characters')}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
