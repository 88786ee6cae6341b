import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const namespaceChanged: Rule = {
  code: 'avro.namespace_changed',
  breaks: false,
  assumes: 'Readers compare names of types without namespaces, as the Java library does.',
  message: ({ path, before, after }, who) =>
    `The type ${before} ${at(path)}, which ${who.writer} writes, is recognised as ${after} by readers of ${who.reader}.`
}
