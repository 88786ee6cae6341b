import type { Rule } from '../../format.ts'
import { range } from './words.ts'

export const numberRangeWidened: Rule = {
  code: 'json.number_range_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take more numbers (${range(difference, difference.after)}) than ${who.writer} allows (${range(difference, difference.before)}).`
}
