import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const typeWidened: Rule = {
  code: 'json.type_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take any number ${at(difference.path)}, and so every integer that ${who.writer} allows.`
}
