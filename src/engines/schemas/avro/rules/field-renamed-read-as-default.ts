import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldRenamedReadAsDefault: Rule = {
  code: 'avro.field_renamed_read_as_default',
  breaks: false,
  message: ({ path, after }, who) =>
    `What readers of ${who.reader} look for as ${after} is called ${where(path)} in data of ${who.writer}; they have no alias for it and take their default.`
}
