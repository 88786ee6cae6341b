import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyRemovedFromClosedObject: Rule = {
  code: 'json.property_removed_from_closed_object',
  breaks: true,
  message: (difference, who) =>
    `Property ${nameIn(difference.path)}, which ${who.writer} allows, is refused by readers of ${who.reader}, whose object takes no other properties.`
}
