import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const nameChanged: Rule = {
  code: 'avro.name_changed',
  breaks: true,
  message: ({ path, before, after }, who) =>
    `The type ${before} ${at(path)}, which ${who.writer} writes, is not recognised by readers of ${who.reader}, who expect ${after} and have no alias for it.`
}
