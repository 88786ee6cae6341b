import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const oneofFieldMovedOut: Rule = {
  code: 'protobuf.oneof_field_moved_out',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is a choice of ${difference.before} in ${writer} and stands alone for readers of ${reader}.`
}
