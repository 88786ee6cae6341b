import type { Rule } from '../../format.ts'
import { list, typeOf } from './wording.ts'

export const reservedChanged: Rule = {
  code: 'protobuf.reserved_changed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `What ${typeOf(difference)} keeps from being used is ${list(difference.before)} in ${writer} and ${list(difference.after)} in ${reader}.`
}
