import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldRemoved: Rule = {
  code: 'protobuf.field_removed',
  breaks: false,
  assumes: 'nobody uses its number for something else',
  message: (difference, { reader }) =>
    `${fieldOf(difference)} (${difference.before}) is passed over by readers of ${reader}.`
}
