import type { Rule } from '../../format.ts'
import { range } from './words.ts'

export const numberRangeNarrowed: Rule = {
  code: 'json.number_range_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Numbers ${difference.path.endsWith('minimum') ? 'below' : 'above'} what readers of ${who.reader} take (${range(difference, difference.after)}) are allowed by ${who.writer} (${range(difference, difference.before)}).`
}
