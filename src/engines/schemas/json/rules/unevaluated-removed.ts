import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const unevaluatedRemoved: Rule = {
  code: 'json.unevaluated_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take what no other schema has looked at ${at(difference.path)}, which ${who.writer} restricts.`
}
