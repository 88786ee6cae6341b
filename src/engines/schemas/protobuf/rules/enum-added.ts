import type { Rule } from '../../format.ts'
import { typeOf } from './wording.ts'

export const enumAdded: Rule = {
  code: 'protobuf.enum_added',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `Readers of ${reader} know the enum ${typeOf(difference)}, which ${writer} does not have.`
}
