import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldKindChanged: Rule = {
  code: 'protobuf.field_kind_changed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is written as ${difference.before} by ${writer} and can't be read as ${difference.after} by readers of ${reader}.`
}
