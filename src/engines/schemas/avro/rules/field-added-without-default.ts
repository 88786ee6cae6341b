import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldAddedWithoutDefault: Rule = {
  code: 'avro.field_added_without_default',
  breaks: true,
  message: ({ path }, who) =>
    `Data of ${who.writer} lack ${where(path)}, for which readers of ${who.reader} have no default, so they can't be read.`
}
