import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const requiredFieldRemoved: Rule = {
  code: 'protobuf.required_field_removed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} (${difference.before}), which ${writer} requires, is passed over by readers of ${reader}.`
}
