import type { Rule } from '../../format.ts'
import { list, memberOf, ownerOf } from './wording.ts'

export const multipleFieldsMovedToOneof: Rule = {
  code: 'protobuf.multiple_fields_moved_to_oneof',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Several of the fields ${list(difference.after)} can be in data of ${writer} at once; readers of ${reader}, for whom they are one choice, ${memberOf(difference)} of ${ownerOf(difference)}, keep only the last.`
}
