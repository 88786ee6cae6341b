import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const messageMoved: Rule = {
  code: 'protobuf.message_moved',
  breaks: false,
  assumes:
    'readers find the type of a message with the schema it was written with, as its position is only good for that',
  message: (difference, { writer, reader }) =>
    `The message ${typeOf(difference)} is number ${difference.before} among its like in ${writer} and number ${difference.after} in ${reader}.`
}
