import type { Rule } from '../../format.ts'
import { memberOf } from './wording.ts'

export const serviceChanged: Rule = {
  code: 'protobuf.service_changed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `The service ${memberOf(difference)} is not the same in ${writer} and ${reader}; data stay the same.`
}
