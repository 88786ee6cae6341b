import type { Rule } from '../../format.ts'
import { ownerOf } from './wording.ts'

export const enumValueAdded: Rule = {
  code: 'protobuf.enum_value_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} know the value ${difference.after} of ${ownerOf(difference)}, which ${writer} never writes.`
}
