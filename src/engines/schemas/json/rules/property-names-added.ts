import type { Rule } from '../../format.ts'

export const propertyNamesAdded: Rule = {
  code: 'json.property_names_added',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} refuse names of properties that are not ${difference.after}, which ${who.writer} allows.`
}
