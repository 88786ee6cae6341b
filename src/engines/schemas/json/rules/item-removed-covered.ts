import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemRemovedCovered: Rule = {
  code: 'json.item_removed_covered',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take at position ${nameIn(difference.path)}, as of all further items, what ${who.writer} allows.`
}
