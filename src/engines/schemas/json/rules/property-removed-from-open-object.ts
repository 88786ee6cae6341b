import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const propertyRemovedFromOpenObject: Rule = {
  code: 'json.property_removed_from_open_object',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} have no schema for ${nameIn(difference.path)} any more and take all that ${who.writer} allows of it.`
}
