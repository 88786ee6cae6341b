import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const logicalTypeChanged: Rule = {
  code: 'avro.logical_type_changed',
  breaks: false,
  assumes: 'Readers look at the stored value, and not at the logical type alone.',
  message: ({ path, before, after }, who) =>
    `Values ${at(path)} that ${who.writer} writes as ${before ?? 'values without a logical type'} are taken for ${after ?? 'values without a logical type'}, without being converted, by readers of ${who.reader}.`
}
