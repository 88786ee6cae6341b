import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const containsCountWidened: Rule = {
  code: 'json.contains_count_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take other numbers of the items that are counted: the limit ${at(difference.path)} was ${show(difference.before)} and is ${show(difference.after)}.`
}
