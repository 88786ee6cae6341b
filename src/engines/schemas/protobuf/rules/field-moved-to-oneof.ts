import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldMovedToOneof: Rule = {
  code: 'protobuf.field_moved_to_oneof',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} stands alone in ${writer} and is a choice of ${difference.after} for readers of ${reader}.`
}
