import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const enumSymbolReadAsDefault: Rule = {
  code: 'avro.enum_symbol_read_as_default',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `The symbol ${before} ${at(path)}, which ${who.writer} allows, is read as the default ${after} by readers of ${who.reader}.`
}
