import type { Rule } from '../../format.ts'
import { capital, where } from '../wording.ts'

export const unionMade: Rule = {
  code: 'avro.union_made',
  breaks: false,
  message: ({ path, before }, who) =>
    `${capital(where(path))} is always of type ${before} in ${who.writer} and a union in ${who.reader}.`
}
