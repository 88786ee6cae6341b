import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const dependentSchemaAdded: Rule = {
  code: 'json.dependent_schema_added',
  breaks: true,
  message: (difference, who) =>
    `Readers of ${who.reader} ask more of objects with ${nameIn(difference.path)} than ${who.writer} does.`
}
