import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const typeLeftOpen: Rule = {
  code: 'json.type_left_open',
  breaks: false,
  message: (difference, who) =>
    `${who.reader} takes values of other types than ${difference.before} as well ${at(difference.path)}.`
}
