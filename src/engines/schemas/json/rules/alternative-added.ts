import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const alternativeAdded: Rule = {
  code: 'json.alternative_added',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know another alternative ${at(difference.path)}: ${show(difference.after)}.`
}
