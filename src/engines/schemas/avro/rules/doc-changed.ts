import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const docChanged: Rule = {
  code: 'avro.doc_changed',
  breaks: false,
  message: ({ path }, who) =>
    `The documentation of ${where(path)} is another one in ${who.reader} than in ${who.writer}.`
}
