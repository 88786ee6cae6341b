import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const enumOpened: Rule = {
  code: 'protobuf.enum_opened',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} take numbers that ${typeOf(difference)} does not name, which ${writer} never writes.`
}
