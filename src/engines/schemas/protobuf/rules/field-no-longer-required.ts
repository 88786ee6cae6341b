import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldNoLongerRequired: Rule = {
  code: 'protobuf.field_no_longer_required',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is always there in data of ${writer}, and readers of ${reader} do not insist on it.`
}
