import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const stringLengthWidened: Rule = {
  code: 'json.string_length_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take strings of more lengths than ${who.writer} allows: the limit ${at(difference.path)} was ${show(difference.before)} and is ${show(difference.after)}.`
}
