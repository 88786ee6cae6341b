import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const patternPropertiesRemoved: Rule = {
  code: 'json.pattern_properties_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take properties that match ${nameIn(difference.path)} with all values that ${who.writer} allows.`
}
