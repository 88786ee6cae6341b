import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldAdded: Rule = {
  code: 'protobuf.field_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} (${difference.after}) is missing from data of ${writer}, so that readers of ${reader} see its default.`
}
