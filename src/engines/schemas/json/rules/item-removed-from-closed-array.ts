import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemRemovedFromClosedArray: Rule = {
  code: 'json.item_removed_from_closed_array',
  breaks: true,
  message: (difference, who) =>
    `The item at position ${nameIn(difference.path)}, which ${who.writer} allows, is refused by readers of ${who.reader}, whose arrays end before it.`
}
