import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const impossibleItemRemoved: Rule = {
  code: 'json.impossible_item_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take no item at position ${nameIn(difference.path)}, and ${who.writer} allows none.`
}
