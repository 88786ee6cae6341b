import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemAddedToClosedArray: Rule = {
  code: 'json.item_added_to_closed_array',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know an item at position ${nameIn(difference.path)}, where no array of ${who.writer} has one.`
}
