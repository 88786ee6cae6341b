import type { Rule } from '../../format.ts'
import { ownerOf } from './wording.ts'

export const enumValueRemoved: Rule = {
  code: 'protobuf.enum_value_removed',
  breaks: false,
  assumes: 'readers can do with a value they have no name for',
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} have no name for the value ${difference.before} of ${ownerOf(difference)} that ${writer} can write.`
}
