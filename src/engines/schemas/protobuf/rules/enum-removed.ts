import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const enumRemoved: Rule = {
  code: 'protobuf.enum_removed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `The enum ${typeOf(difference)} of ${writer} is not known to readers of ${reader}.`
}
