import type { Rule } from '../../format.ts'

export const containsAdded: Rule = {
  code: 'json.contains_added',
  breaks: true,
  message: (difference, who) =>
    `Arrays without an item that ${who.reader} asks for (${difference.after}), which ${who.writer} allows, are refused by its readers.`
}
