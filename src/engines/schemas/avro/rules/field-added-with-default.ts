import type { Rule } from '../../format.ts'
import { said, where } from '../wording.ts'

export const fieldAddedWithDefault: Rule = {
  code: 'avro.field_added_with_default',
  breaks: false,
  message: ({ path, after }, who) =>
    `Data of ${who.writer} lack ${where(path)}, for which readers of ${who.reader} take its default ${said(after)}.`
}
