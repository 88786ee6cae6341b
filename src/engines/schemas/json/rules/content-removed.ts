import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const contentRemoved: Rule = {
  code: 'json.content_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} no longer expect content of a certain kind in strings (${nameIn(difference.path)}: ${show(difference.before)}).`
}
