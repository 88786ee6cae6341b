import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyAddedUncovered: Rule = {
  code: 'json.property_added_uncovered',
  breaks: true,
  message: (difference, who) =>
    `Objects of ${who.writer} may have ${nameIn(difference.path)} among the properties it does not name, with values (${difference.before}) that readers of ${who.reader} refuse (${difference.after}).`
}
