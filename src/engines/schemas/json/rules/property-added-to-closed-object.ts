import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyAddedToClosedObject: Rule = {
  code: 'json.property_added_to_closed_object',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} know ${nameIn(difference.path)}, which no object of ${who.writer} has.`
}
