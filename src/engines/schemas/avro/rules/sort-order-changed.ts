import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const sortOrderChanged: Rule = {
  code: 'avro.sort_order_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `Records are sorted by ${where(path)} in order ${before} in ${who.writer} and ${after} in ${who.reader}.`
}
