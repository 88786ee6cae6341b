import type { Rule } from '../../format.ts'
import { memberOf, ownerOf } from './wording.ts'

export const oneofFieldAdded: Rule = {
  code: 'protobuf.oneof_field_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} know another choice, field ${memberOf(difference)} (${difference.after}) of ${ownerOf(difference)}, that ${writer} never makes.`
}
