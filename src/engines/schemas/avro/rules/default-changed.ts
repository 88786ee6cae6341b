import type { Rule } from '../../format.ts'
import { said, where } from '../wording.ts'

export const defaultChanged: Rule = {
  code: 'avro.default_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `Data that lack ${where(path)}, which those of ${who.writer} don't, are read with ${said(after)} rather than ${said(before)} by readers of ${who.reader}.`
}
