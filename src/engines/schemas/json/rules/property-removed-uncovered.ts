import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyRemovedUncovered: Rule = {
  code: 'json.property_removed_uncovered',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} take ${nameIn(difference.path)} as a property without a schema of its own, but not with all values that ${who.writer} allows (${difference.before}, not ${difference.after}).`
}
