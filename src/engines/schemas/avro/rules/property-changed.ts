import type { Rule } from '../../format.ts'
import { at, lastToken, said } from '../wording.ts'

export const propertyChanged: Rule = {
  code: 'avro.property_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `The property ${lastToken(path)} ${at(path)} is ${said(before)} in ${who.writer} and ${said(after)} in ${who.reader}, which has no meaning to Avro.`
}
