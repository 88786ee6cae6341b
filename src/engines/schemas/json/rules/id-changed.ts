import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const idChanged: Rule = {
  code: 'json.id_changed',
  breaks: false,
  message: (difference, who) =>
    `The address ${at(difference.path)} was ${show(difference.before)} in ${who.writer} and is ${show(difference.after)} in ${who.reader}.`
}
