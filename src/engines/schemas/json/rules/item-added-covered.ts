import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemAddedCovered: Rule = {
  code: 'json.item_added_covered',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take at position ${nameIn(difference.path)} all that ${who.writer} allows of further items.`
}
