import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const constraintRemoved: Rule = {
  code: 'json.constraint_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} no longer ask for ${show(difference.before)} ${at(difference.path)}.`
}
