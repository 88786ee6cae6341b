import type { Rule } from '../../format.ts'
import { list, memberOf, ownerOf } from './wording.ts'

export const oneofSplit: Rule = {
  code: 'protobuf.oneof_split',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Fields ${list(difference.before)} exclude each other in ${writer}, as the choice ${memberOf(difference)} of ${ownerOf(difference)}; readers of ${reader} can take several of them.`
}
