import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const unionBranchesReordered: Rule = {
  code: 'avro.union_branches_reordered',
  breaks: false,
  message: ({ path }, who) =>
    `The types th${at(path)} can have are in another order in ${who.reader} than in ${who.writer}; readers find them by name.`
}
