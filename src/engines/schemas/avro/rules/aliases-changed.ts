import type { Rule } from '../../format.ts'
import { said, where } from '../wording.ts'

export const aliasesChanged: Rule = {
  code: 'avro.aliases_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `The aliases of ${where(path)} are ${said(before)} in ${who.writer} and ${said(after)} in ${who.reader}.`
}
