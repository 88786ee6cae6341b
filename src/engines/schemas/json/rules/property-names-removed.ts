import type { Rule } from '../../format.ts'

export const propertyNamesRemoved: Rule = {
  code: 'json.property_names_removed',
  breaks: false,
  message: (_, who) => `Readers of ${who.reader} take any name of a property.`
}
