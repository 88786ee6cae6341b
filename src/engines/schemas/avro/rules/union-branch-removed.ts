import type { Rule } from '../../format.ts'
import { at } from '../wording.ts'

export const unionBranchRemoved: Rule = {
  code: 'avro.union_branch_removed',
  breaks: true,
  message: ({ path, before }, who) =>
    `Data of type ${before} ${at(path)}, which ${who.writer} allows, are refused by readers of ${who.reader}.`
}
