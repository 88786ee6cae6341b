import type { Rule } from '../../format.ts'
import { at } from './words.ts'

export const alternativesChanged: Rule = {
  code: 'json.alternatives_changed',
  breaks: true,
  message: (difference, who) =>
    `Not every alternative that ${who.writer} allows ${at(difference.path)} is covered by one of ${who.reader}, so that its readers refuse some values.`
}
