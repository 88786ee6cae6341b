import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const alternativeRemoved: Rule = {
  code: 'json.alternative_removed',
  breaks: true,
  message: (difference, who) =>
    `Values of the alternative ${show(difference.before)}, which ${who.writer} allows ${at(difference.path)}, are refused by readers of ${who.reader}.`
}
