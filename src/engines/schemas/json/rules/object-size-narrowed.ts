import type { Rule } from '../../format.ts'
import { plural } from './words.ts'

export const objectSizeNarrowed: Rule = {
  code: 'json.object_size_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Objects with ${difference.path.endsWith('minProperties') ? 'fewer' : 'more'} than ${plural(difference.after, 'properties')}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
