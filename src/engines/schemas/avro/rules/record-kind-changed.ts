import type { Rule } from '../../format.ts'
import { capital, where } from '../wording.ts'

export const recordKindChanged: Rule = {
  code: 'avro.record_kind_changed',
  breaks: false,
  message: ({ path, before, after }, who) =>
    `${capital(where(path))} is of kind ${before} in ${who.writer} and ${after} in ${who.reader}, whose data are the same.`
}
