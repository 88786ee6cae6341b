import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyAddedToOpenObject: Rule = {
  code: 'json.property_added_to_open_object',
  breaks: true,
  message: (difference, who) =>
    `Objects of ${who.writer} may have ${nameIn(difference.path)} with any value, since it takes other properties; readers of ${who.reader} take ${difference.after} only.`
}
