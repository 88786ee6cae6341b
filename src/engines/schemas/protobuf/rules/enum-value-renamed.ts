import type { Rule } from '../../format.ts'
import { memberOf, ownerOf } from './wording.ts'

export const enumValueRenamed: Rule = {
  code: 'protobuf.enum_value_renamed',
  breaks: false,
  assumes: 'both names mean the same, and data are binary, where only numbers are',
  message: (difference, { writer, reader }) =>
    `The value ${memberOf(difference)} of ${ownerOf(difference)} is called ${difference.before} by ${writer} and ${difference.after} by readers of ${reader}.`
}
