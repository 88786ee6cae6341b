import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const defaultChanged: Rule = {
  code: 'json.default_changed',
  breaks: false,
  message: (difference, who) =>
    `The default ${at(difference.path)} was ${show(difference.before)} in ${who.writer} and is ${show(difference.after)} in ${who.reader}.`
}
