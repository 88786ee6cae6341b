import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const patternPropertiesRemovedUncovered: Rule = {
  code: 'json.pattern_properties_removed_uncovered',
  breaks: true,
  message: (difference, who) =>
    `Properties that match ${nameIn(difference.path)}, which ${who.writer} allows (${difference.before}), are refused by readers of ${who.reader} or have to be ${difference.after}.`
}
