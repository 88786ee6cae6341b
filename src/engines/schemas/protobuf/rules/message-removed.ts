import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const messageRemoved: Rule = {
  code: 'protobuf.message_removed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Messages ${typeOf(difference)}, which ${writer} can write, are not known to readers of ${reader}.`
}
