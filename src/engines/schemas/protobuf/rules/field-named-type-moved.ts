import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldNamedTypeMoved: Rule = {
  code: 'protobuf.field_named_type_moved',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} holds a ${difference.before} in ${writer} and a ${difference.after} in ${reader}, the same message in another package.`
}
