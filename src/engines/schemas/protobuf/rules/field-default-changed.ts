import type { Rule } from '../../format.ts'
import { lowerFieldOf, show } from './wording.ts'

export const fieldDefaultChanged: Rule = {
  code: 'protobuf.field_default_changed',
  breaks: false,
  assumes: 'nobody relies on the default of a value that is not there',
  message: (difference, { writer, reader }) =>
    `Where ${writer} leaves ${lowerFieldOf(difference)} out it means ${show(difference.before)}, but readers of ${reader} see ${show(difference.after)}.`
}
