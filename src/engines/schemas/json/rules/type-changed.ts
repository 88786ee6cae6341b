import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const typeChanged: Rule = {
  code: 'json.type_changed',
  breaks: true,
  message: (difference, who) =>
    `Values of ${difference.before}, which ${who.writer} allows ${at(difference.path)}, are refused by readers of ${who.reader}, which takes ${difference.after}.`
}
