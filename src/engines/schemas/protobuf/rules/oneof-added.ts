import type { Rule } from '../../format.ts'
import { memberOf, ownerOf } from './wording.ts'

export const oneofAdded: Rule = {
  code: 'protobuf.oneof_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} take fields of ${ownerOf(difference)} for one choice, ${memberOf(difference)}, which they are not in ${writer}.`
}
