import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemRemovedUncovered: Rule = {
  code: 'json.item_removed_uncovered',
  breaks: true,
  message: (difference, who) =>
    `At position ${nameIn(difference.path)} readers of ${who.reader} take ${difference.after}, as of all further items, but not all that ${who.writer} allows (${difference.before}).`
}
