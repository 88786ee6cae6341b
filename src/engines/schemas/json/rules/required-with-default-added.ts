import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const requiredWithDefaultAdded: Rule = {
  code: 'json.required_with_default_added',
  breaks: false,
  assumes: 'Readers put the default where the property is missing, before they check the value.',
  message: (difference, who) =>
    `Objects may lack ${nameIn(difference.path)} by ${who.writer}; readers of ${who.reader} need it and have the default ${show(difference.after)} for it.`
}
