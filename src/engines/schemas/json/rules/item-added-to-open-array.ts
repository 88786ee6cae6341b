import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemAddedToOpenArray: Rule = {
  code: 'json.item_added_to_open_array',
  breaks: true,
  message: (difference, who) =>
    `Arrays of ${who.writer} may have anything at position ${nameIn(difference.path)}; readers of ${who.reader} take ${difference.after} only.`
}
