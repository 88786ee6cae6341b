import type { Rule } from '../../format.ts'
import { list } from './wording.ts'

export const optionsChanged: Rule = {
  code: 'protobuf.options_changed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `The options of ${difference.path === '' ? 'the file' : difference.path} are ${list(difference.before)} in ${writer} and ${list(difference.after)} in ${reader}; data stay the same.`
}
