import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const impossiblePropertyRemoved: Rule = {
  code: 'json.impossible_property_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} refuse ${nameIn(difference.path)} with all properties they do not know; ${who.writer} refuses it, too.`
}
