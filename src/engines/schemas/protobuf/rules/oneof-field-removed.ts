import type { Rule } from '../../format.ts'
import { lowerFieldOf } from './wording.ts'

export const oneofFieldRemoved: Rule = {
  code: 'protobuf.oneof_field_removed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Where ${writer} chooses ${lowerFieldOf(difference)} (${difference.before}), readers of ${reader}, who do not know it, see no choice at all.`
}
