import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const enumReduced: Rule = {
  code: 'json.enum_reduced',
  breaks: true,
  message: (difference, who) =>
    `Values that ${who.writer} allows are refused by readers of ${who.reader}: ${show(difference.before)}.`
}
