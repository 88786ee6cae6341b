import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { AsOf, Depth, NodeId } from '../schema.ts'

export const ExportQuery = Closed({
  format: OneOf(['csv', 'graphml'], 'A line for each edge, or a file that programs for graphs read'),
  root: Type.Optional(NodeId('Where to begin; everything, if not said')),
  direction: Type.Optional(
    OneOf(['upstream', 'downstream', 'both'], 'Which way to go from the root; both if not said')
  ),
  depth: Depth,
  asOf: AsOf
})
export type ExportQuery = Static<typeof ExportQuery>
