import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const enumExtended: Rule = {
  code: 'json.enum_extended',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know more values than ${who.writer} has: ${show(difference.after)}.`
}
