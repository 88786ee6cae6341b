import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldRenamedWithAlias: Rule = {
  code: 'avro.field_renamed_with_alias',
  breaks: false,
  message: ({ path, before }, who) =>
    `What ${who.writer} writes as ${before} is read as ${where(path)} by readers of ${who.reader}, who have an alias for it.`
}
