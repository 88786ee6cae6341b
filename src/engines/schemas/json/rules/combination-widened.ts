import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const combinationWidened: Rule = {
  code: 'json.combination_widened',
  breaks: false,
  message: (difference, who) =>
    `${difference.before} in ${who.writer} became ${difference.after} in ${who.reader}, which asks less ${at(difference.path)}.`
}
