import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const enumSymbolRemoved: Rule = {
  code: 'avro.enum_symbol_removed',
  breaks: true,
  message: ({ path, before }, who) =>
    `The symbol ${before} ${at(path)}, which ${who.writer} allows, is refused by readers of ${who.reader}, which has no default symbol.`
}
