import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const dependencyTightened: Rule = {
  code: 'json.dependency_tightened',
  breaks: true,
  message: (difference, who) =>
    `Objects of ${who.writer} with ${nameIn(difference.path)} may lack ${show(difference.after)}, which readers of ${who.reader} need with it.`
}
