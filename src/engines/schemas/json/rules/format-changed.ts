import type { Rule } from '../../format.ts'

export const formatChanged: Rule = {
  code: 'json.format_changed',
  breaks: true,
  message: (difference, who) =>
    `Strings in the format ${difference.before}, as ${who.writer} asks, need not be in the format ${difference.after}, as readers of ${who.reader} ask.`
}
