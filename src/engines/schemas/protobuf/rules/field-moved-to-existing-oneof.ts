import type { Rule } from '../../format.ts'
import { list, memberOf, ownerOf } from './wording.ts'

export const fieldMovedToExistingOneof: Rule = {
  code: 'protobuf.field_moved_to_existing_oneof',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `Fields ${list(difference.after)} are not one choice in ${writer}; readers of ${reader}, for whom they are, ${memberOf(difference)} of ${ownerOf(difference)}, keep only the last.`
}
