import type { Rule } from '../../format.ts'

export const containsChanged: Rule = {
  code: 'json.contains_changed',
  breaks: true,
  message: (_, who) =>
    `Arrays have the items that ${who.writer} asks for, which need not be those that readers of ${who.reader} ask for.`
}
