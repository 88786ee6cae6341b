import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const requiredRemoved: Rule = {
  code: 'json.required_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take objects without ${nameIn(difference.path)}, which ${who.writer} always has.`
}
