import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const enumClosed: Rule = {
  code: 'protobuf.enum_closed',
  breaks: false,
  assumes: 'data hold named values only',
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} pass over numbers that ${typeOf(difference)} does not name, which ${writer} lets through.`
}
