import type { Rule } from '../../format.ts'

export const formatRemoved: Rule = {
  code: 'json.format_removed',
  breaks: false,
  message: (difference, who) => `Readers of ${who.reader} no longer ask for the format ${difference.before}.`
}
