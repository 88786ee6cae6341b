import type { Rule } from '../../format.ts'
import { at, listed } from '../wording.ts'

export const fieldAmbiguous: Rule = {
  code: 'avro.field_ambiguous',
  breaks: true,
  message: ({ path, before }, who) =>
    `Readers of ${who.reader} find several fields in data of ${who.writer} th${at(path)} could be by its name and aliases, and refuse to choose: ${listed(before)}.`
}
