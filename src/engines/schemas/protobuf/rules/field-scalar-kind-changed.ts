import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldScalarKindChanged: Rule = {
  code: 'protobuf.field_scalar_kind_changed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is ${difference.before} for ${writer} and ${difference.after} for readers of ${reader}, which is encoded differently, so that values are lost or wrong.`
}
