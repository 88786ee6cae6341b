import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldRemoved: Rule = {
  code: 'avro.field_removed',
  breaks: false,
  message: ({ path }, who) => `Readers of ${who.reader} skip ${where(path)}, which ${who.writer} writes.`
}
