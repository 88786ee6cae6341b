import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const patternRemoved: Rule = {
  code: 'json.pattern_removed',
  breaks: false,
  message: (difference, who) => `Readers of ${who.reader} no longer ask that strings match ${show(difference.before)}.`
}
