import type { Rule } from '../../format.ts'

export const packageChanged: Rule = {
  code: 'protobuf.package_changed',
  breaks: true,
  message: (difference, { writer, reader }) =>
    `The package of ${writer} is ${difference.before || 'none'} and that of ${reader} is ${difference.after || 'none'}, so that its readers know the types by other names.`
}
