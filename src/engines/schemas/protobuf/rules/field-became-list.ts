import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldBecameList: Rule = {
  code: 'protobuf.field_became_list',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is ${difference.before} in ${writer}; readers of ${reader} see a list of one, or of none.`
}
