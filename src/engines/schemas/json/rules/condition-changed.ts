import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const conditionChanged: Rule = {
  code: 'json.condition_changed',
  breaks: true,
  message: (difference, who) =>
    `The condition ${at(difference.path)} is another one in ${who.reader}, so that its readers may refuse values that ${who.writer} allows.`
}
