import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const unionBranchAdded: Rule = {
  code: 'avro.union_branch_added',
  breaks: false,
  message: ({ path, after }, who) =>
    `Data of type ${after} are allowed ${at(path)} by ${who.reader} and never come from writers of ${who.writer}.`
}
