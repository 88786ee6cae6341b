import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyAddedCovered: Rule = {
  code: 'json.property_added_covered',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know ${nameIn(difference.path)} and take all that ${who.writer} allows of properties it does not name.`
}
