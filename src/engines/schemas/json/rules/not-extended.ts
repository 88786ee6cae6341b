import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const notExtended: Rule = {
  code: 'json.not_extended',
  breaks: true,
  message: (difference, who) =>
    `Values that ${who.writer} allows are excluded by readers of ${who.reader} ${at(difference.path)}.`
}
