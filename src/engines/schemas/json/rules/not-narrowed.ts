import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const notNarrowed: Rule = {
  code: 'json.not_narrowed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} exclude no more values ${at(difference.path)} than ${who.writer} does.`
}
