import type { Rule } from '../../format.ts'
import { at, show } from './words.ts'

export const descriptionChanged: Rule = {
  code: 'json.description_changed',
  breaks: false,
  message: (difference, who) =>
    `The description ${at(difference.path)} was ${show(difference.before)} in ${who.writer} and is ${show(difference.after)} in ${who.reader}.`
}
