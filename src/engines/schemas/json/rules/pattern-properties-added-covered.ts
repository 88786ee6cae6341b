import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const patternPropertiesAddedCovered: Rule = {
  code: 'json.pattern_properties_added_covered',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take all that ${who.writer} allows of properties that match ${nameIn(difference.path)}.`
}
