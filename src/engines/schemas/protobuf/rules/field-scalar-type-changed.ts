import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldScalarTypeChanged: Rule = {
  code: 'protobuf.field_scalar_type_changed',
  breaks: false,
  assumes: 'values fit the type they are read as',
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is written as ${difference.before} by ${writer} and read as ${difference.after} with ${reader}; what does not fit is cut off.`
}
