import type { Rule } from '../../format.ts'
import { said, where } from '../wording.ts'

export const defaultAdded: Rule = {
  code: 'avro.default_added',
  breaks: false,
  message: ({ path, after }, who) =>
    `Data that lack ${where(path)}, which those of ${who.writer} don't, are read with ${said(after)} by readers of ${who.reader}.`
}
