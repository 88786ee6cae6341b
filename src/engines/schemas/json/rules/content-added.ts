import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const contentAdded: Rule = {
  code: 'json.content_added',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} expect content of a certain kind in strings (${nameIn(difference.path)}: ${show(difference.after)}), of which ${who.writer} says nothing.`
}
