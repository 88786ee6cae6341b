import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const unevaluatedUnclear: Rule = {
  code: 'json.unevaluated_unclear',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} refuse what their other schemas ${at(difference.path)} have not looked at, and that is not sure to be what ${who.writer} refuses.`
}
