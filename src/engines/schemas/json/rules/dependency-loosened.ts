import type { Rule } from '../../format.ts'
import { nameIn, show } from './words.ts'

export const dependencyLoosened: Rule = {
  code: 'json.dependency_loosened',
  breaks: false,
  message: (difference, who) =>
    `Readers of ${who.reader} no longer need ${show(difference.before)} where there is ${nameIn(difference.path)}.`
}
