import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldRenamedWithoutAlias: Rule = {
  code: 'avro.field_renamed_without_alias',
  breaks: true,
  message: ({ path, after }, who) =>
    `What readers of ${who.reader} look for as ${after} is called ${where(path)} in data of ${who.writer}; they have no alias and no default for it, so they can't read them.`
}
