import type { Rule } from '../../format.ts'
import { nameIn } from './words.ts'

export const dependentSchemaRemoved: Rule = {
  code: 'json.dependent_schema_removed',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} no longer ask more of objects with ${nameIn(difference.path)}.`
}
