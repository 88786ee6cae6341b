import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldPackingChanged: Rule = {
  code: 'protobuf.field_packing_changed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is ${difference.before ? 'packed' : 'not packed'} in data of ${writer}, and readers of ${reader} take both.`
}
