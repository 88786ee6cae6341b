import type { Rule } from '../../format.ts'
import { lowerFieldOf } from './wording.ts'

export const requiredFieldAdded: Rule = {
  code: 'protobuf.required_field_added',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Data of ${writer} do not have ${lowerFieldOf(difference)} (${difference.after}), and readers of ${reader}, who require it, refuse them.`
}
