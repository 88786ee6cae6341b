import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const typeChanged: Rule = {
  code: 'avro.type_changed',
  breaks: true,
  message: ({ path, before, after }, who) =>
    `Data of type ${before} ${at(path)}, which ${who.writer} writes, can't be read as ${after} by readers of ${who.reader}.`
}
