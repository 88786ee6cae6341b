import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const patternPropertiesAdded: Rule = {
  code: 'json.pattern_properties_added',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} ask something of properties that match ${nameIn(difference.path)} (${difference.after}), which those of ${who.writer} need not fulfil.`
}
