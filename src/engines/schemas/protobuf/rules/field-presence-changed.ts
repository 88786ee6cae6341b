import type { Rule } from '../../format.ts'
import { lowerFieldOf } from './wording.ts'

export const fieldPresenceChanged: Rule = {
  code: 'protobuf.field_presence_changed',
  breaks: false,
  assumes: 'nobody makes a difference between absent and default',
  message: (difference, { writer, reader }) =>
    `Whether ${lowerFieldOf(difference)} is there or has its default can be told from ${difference.before ? `data of ${writer}, but not by readers of ${reader}` : `what readers of ${reader} see, but is not in data of ${writer}`}.`
}
