import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const patternAdded: Rule = {
  code: 'json.pattern_added',
  breaks: true,
  message: (difference, who) =>
    `Strings that do not match ${show(difference.after)}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
