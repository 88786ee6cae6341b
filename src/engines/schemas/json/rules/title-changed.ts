import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const titleChanged: Rule = {
  code: 'json.title_changed',
  breaks: false,
  message: (difference, who) =>
    `The title ${at(difference.path)} was ${show(difference.before)} in ${who.writer} and is ${show(difference.after)} in ${who.reader}.`
}
