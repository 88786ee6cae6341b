import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const typePromoted: Rule = {
  code: 'avro.type_promoted',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `Data of type ${before} ${at(path)}, which ${who.writer} writes, are read as ${after} by readers of ${who.reader}.`
}
