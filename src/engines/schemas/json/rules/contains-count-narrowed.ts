import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const containsCountNarrowed: Rule = {
  code: 'json.contains_count_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Arrays with ${difference.path.endsWith('minContains') ? 'fewer' : 'more'} than ${show(difference.after)} of the items that are counted, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
