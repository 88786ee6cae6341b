import type { Rule } from '../../format.ts'
import { where } from '../wording.ts'

export const defaultRemoved: Rule = {
  code: 'avro.default_removed',
  breaks: false,
  message: ({ path }, who) =>
    `Data that lack ${where(path)}, which those of ${who.writer} don't, are refused by readers of ${who.reader}, who have no default for it.`
}
