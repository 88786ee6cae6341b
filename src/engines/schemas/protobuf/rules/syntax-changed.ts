import type { Rule } from '../../format.ts'

export const syntaxChanged: Rule = {
  code: 'protobuf.syntax_changed',
  breaks: false,
  message: (difference, { writer, reader }) =>
    `The syntax of ${writer} is ${difference.before} and that of ${reader} is ${difference.after}.`
}
