import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const contentChanged: Rule = {
  code: 'json.content_changed',
  breaks: true,
  message: (difference, who) =>
    `Strings hold ${show(difference.before)} by ${who.writer} (${nameIn(difference.path)}), but readers of ${who.reader} take it for ${show(difference.after)}.`
}
