import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const objectSizeWidened: Rule = {
  code: 'json.object_size_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take objects of more sizes than ${who.writer} allows: the limit ${at(difference.path)} was ${show(difference.before)} and is ${show(difference.after)}.`
}
