import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyWithoutConstraintAdded: Rule = {
  code: 'json.property_without_constraint_added',
  breaks: false,
  message: (difference, who) => `Readers of ${who.reader} know ${nameIn(difference.path)} and take any value of it.`
}
