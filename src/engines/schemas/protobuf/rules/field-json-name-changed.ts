import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldJsonNameChanged: Rule = {
  code: 'protobuf.field_json_name_changed',
  breaks: false,
  assumes: 'data are binary, where only numbers are',
  message: (difference, { writer, reader }) =>
    `${fieldOf(difference)} is ${difference.before} in JSON of ${writer} and ${difference.after} for readers of ${reader}.`
}
