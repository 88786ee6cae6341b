import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldNamedTypeChanged: Rule = {
  code: 'protobuf.field_named_type_changed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} holds a ${difference.before} in data of ${writer}, which readers of ${reader} take for a ${difference.after}.`
}
