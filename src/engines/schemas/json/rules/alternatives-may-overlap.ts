import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const alternativesMayOverlap: Rule = {
  code: 'json.alternatives_may_overlap',
  breaks: false,
  assumes: 'No value fits more than one of the alternatives.',
  message: (difference, who) =>
    `Values that fit one alternative of ${who.writer} may fit two of ${who.reader} ${at(difference.path)}, whose readers then refuse them.`
}
