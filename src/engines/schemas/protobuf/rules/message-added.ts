import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const messageAdded: Rule = {
  code: 'protobuf.message_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} know the message ${typeOf(difference)}, of which ${writer} has no data.`
}
