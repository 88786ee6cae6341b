import type { Rule } from '../../format.ts'

export const formatAdded: Rule = {
  code: 'json.format_added',
  breaks: true,
  message: (difference, who) =>
    `Strings that are no ${difference.after}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
