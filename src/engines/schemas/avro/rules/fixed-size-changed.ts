import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const fixedSizeChanged: Rule = {
  code: 'avro.fixed_size_changed',
  breaks: true,
  message: ({ path, before, after }, who) =>
    `Values of ${before} bytes ${at(path)}, which ${who.writer} writes, are refused by readers of ${who.reader}, who expect ${after} bytes.`
}
