import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const annotationChanged: Rule = {
  code: 'json.annotation_changed',
  breaks: false,
  message: (difference, who) =>
    `${nameIn(difference.path)} was ${show(difference.before)} in ${who.writer} and is ${show(difference.after)} in ${who.reader}; it says nothing of what values are allowed.`
}
