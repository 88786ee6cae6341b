import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const itemAddedUncovered: Rule = {
  code: 'json.item_added_uncovered',
  breaks: true,
  message: (difference, who) =>
    `Arrays of ${who.writer} may have ${difference.before} at position ${nameIn(difference.path)}, which readers of ${who.reader}, who take ${difference.after} there, may refuse.`
}
