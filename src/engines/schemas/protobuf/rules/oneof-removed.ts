import type { Rule } from '../../format.ts'
import { memberOf, ownerOf } from './wording.ts'

export const oneofRemoved: Rule = {
  code: 'protobuf.oneof_removed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `The choice ${memberOf(difference)} of ${ownerOf(difference)} in ${writer} is none for readers of ${reader}.`
}
