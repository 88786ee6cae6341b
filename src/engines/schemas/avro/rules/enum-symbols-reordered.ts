import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const enumSymbolsReordered: Rule = {
  code: 'avro.enum_symbols_reordered',
  breaks: false,
  message: ({ path }, who) =>
    `The symbols ${at(path)} are in another order in ${who.reader} than in ${who.writer}, which only matters to sorting.`
}
