import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemWithoutConstraintAdded: Rule = {
  code: 'json.item_without_constraint_added',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know an item at position ${nameIn(difference.path)} and take any value of it.`
}
