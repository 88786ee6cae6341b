import type { Rule } from '../../format.ts'
import { capital, where } from '../wording.ts'

export const unionUnmade: Rule = {
  code: 'avro.union_unmade',
  breaks: false,
  message: ({ path, after }, who) =>
    `${capital(where(path))} is a union in ${who.writer} and always of type ${after} in ${who.reader}.`
}
