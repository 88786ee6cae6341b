import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const requiredAdded: Rule = {
  code: 'json.required_added',
  breaks: true,
  message: (difference, who) =>
    `Objects without ${nameIn(difference.path)}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
