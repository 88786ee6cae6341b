import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const typeNarrowed: Rule = {
  code: 'json.type_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Numbers that are no integers, which ${who.writer} allows ${at(difference.path)}, are refused by readers of ${who.reader}.`
}
