import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const fieldsReordered: Rule = {
  code: 'avro.fields_reordered',
  breaks: false,
  message: ({ path }, who) =>
    `The fields of ${where(path)} are in another order in ${who.reader} than in ${who.writer}, which only matters to sorting.`
}
