import type { Rule } from '../../format.ts'
import { lowerFieldOf } from './wording.ts'

export const fieldBecameRequired: Rule = {
  code: 'protobuf.field_became_required',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Data of ${writer} may lack ${lowerFieldOf(difference)} (${difference.before}), and readers of ${reader}, who require it, refuse them.`
}
