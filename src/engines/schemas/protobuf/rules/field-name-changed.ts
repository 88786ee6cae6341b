import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldNameChanged: Rule = {
  code: 'protobuf.field_name_changed',
  breaks: false,
  assumes: 'data are binary, where only numbers are; as JSON they have names',
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is called ${difference.before} by ${writer} and ${difference.after} by readers of ${reader}.`
}
