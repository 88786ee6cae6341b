import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const enumDefaultChanged: Rule = {
  code: 'avro.enum_default_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `Symbols that readers of ${who.reader} don't know ${at(path)} are ${after === undefined ? 'refused' : `read as ${after}`} rather than ${before === undefined ? 'refused' : `read as ${before}`}.`
}
