import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const typePromotedInexactly: Rule = {
  code: 'avro.type_promoted_inexactly',
  breaks: false,
  assumes: 'Readers may round numbers that have more digits than the new type holds.',
  message: ({ path, before, after }, who) =>
    `Numbers of type ${before} ${at(path)}, which ${who.writer} writes, are read as the nearest ${after} by readers of ${who.reader}.`
}
