import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyRemovedCovered: Rule = {
  code: 'json.property_removed_covered',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take ${nameIn(difference.path)} as a property without a schema of its own, with all values that ${who.writer} allows.`
}
