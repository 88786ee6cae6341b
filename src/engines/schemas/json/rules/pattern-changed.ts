import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const patternChanged: Rule = {
  code: 'json.pattern_changed',
  breaks: true,
  message: (difference, who) =>
    `Strings that match ${show(difference.before)}, as ${who.writer} asks, need not match ${show(difference.after)}, as readers of ${who.reader} ask.`
}
