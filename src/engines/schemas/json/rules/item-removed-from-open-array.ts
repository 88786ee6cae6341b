import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemRemovedFromOpenArray: Rule = {
  code: 'json.item_removed_from_open_array',
  breaks: false,
  message: (difference, who) => `Readers of ${who.reader} take anything at position ${nameIn(difference.path)}.`
}
