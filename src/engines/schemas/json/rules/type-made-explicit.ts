import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const typeMadeExplicit: Rule = {
  code: 'json.type_made_explicit',
  breaks: false,
  assumes: 'Values here are of the type that the keywords of the schema are about.',
  message: (difference, who) =>
    `Values have to be of type ${difference.after} for readers of ${who.reader} ${at(difference.path)}, where ${who.writer} only has keywords for that type.`
}
