import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldBecameSingle: Rule = {
  code: 'protobuf.field_became_single',
  breaks: false,
  assumes: 'lists hold at most one element',
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is ${difference.before} in ${writer}; readers of ${reader} see one value, which is the last, or messages merged into one.`
}
