import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const nameChangedWithAlias: Rule = {
  code: 'avro.name_changed_with_alias',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `The type ${before} ${at(path)}, which ${who.writer} writes, is recognised as ${after} by readers of ${who.reader}, who have an alias for it.`
}
