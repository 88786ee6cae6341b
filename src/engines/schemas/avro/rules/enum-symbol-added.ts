import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const enumSymbolAdded: Rule = {
  code: 'avro.enum_symbol_added',
  breaks: false,
  message: ({ path, after }, who) =>
    `The symbol ${after} ${at(path)} is new in ${who.reader} and never comes from writers of ${who.writer}.`
}
