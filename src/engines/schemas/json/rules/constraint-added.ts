import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const constraintAdded: Rule = {
  code: 'json.constraint_added',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} also ask for ${show(difference.after)} ${at(difference.path)}, which values of ${who.writer} need not fulfil.`
}
