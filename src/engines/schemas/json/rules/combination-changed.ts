import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const combinationChanged: Rule = {
  code: 'json.combination_changed',
  breaks: true,
  message: (difference, who) =>
    `${difference.before} in ${who.writer} became ${difference.after} in ${who.reader}, which refuses values ${at(difference.path)} that were allowed.`
}
