import type { Rule } from '../../format.ts'

export const containsRemoved: Rule = {
  code: 'json.contains_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} no longer ask for items of a certain kind (${difference.before}).`
}
