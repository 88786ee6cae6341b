import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const bytesReadAsText: Rule = {
  code: 'avro.bytes_read_as_text',
  breaks: false,
  assumes: 'The bytes that were written are UTF-8.',
  message: ({ path }, who) =>
    `Bytes ${at(path)}, which ${who.writer} writes, are read as text by readers of ${who.reader}.`
}
