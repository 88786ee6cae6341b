import type { Rule } from '../../format.ts'
import { show } from './words.ts'

export const enumChanged: Rule = {
  code: 'json.enum_changed',
  breaks: true,
  message: (difference, who) =>
    `Values that ${who.writer} allows (${show(difference.before)}) are refused by readers of ${who.reader}, who know others instead (${show(difference.after)}).`
}
