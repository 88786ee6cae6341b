import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const schemaWidened: Rule = {
  code: 'json.schema_widened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} take ${difference.after} ${at(difference.path)}, and so all that ${who.writer} allows.`
}
