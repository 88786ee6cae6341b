import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ColumnEdge, Cursor, Depth, Edge, NodeId } from '../schema.ts'

const Time = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${description}: ${TIME_FORM}` })

export const DifferenceQuery = Closed({
  from: Time('The earlier time'),
  to: Type.Optional(Time('The later time; now, if not said')),
  root: Type.Optional(NodeId('Only what is around this node at either time')),
  direction: Type.Optional(
    OneOf(['upstream', 'downstream', 'both'], 'Which way to go from the root; both if not said')
  ),
  depth: Depth,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Changes of one answer, 1000 if not said' })
  ),
  cursor: Cursor
})
export type DifferenceQuery = Static<typeof DifferenceQuery>

const Changes = (description: string) =>
  Type.Object({ edges: Type.Array(Edge), columns: Type.Array(ColumnEdge) }, { description })

export const Difference = Type.Object(
  {
    from: Timestamp('The earlier time'),
    to: Timestamp('The later time'),
    root: Nullable(NodeId('What it is about; null for everything')),
    added: Changes('What held at the later time, and of which nobody said so at the earlier one'),
    ended: Changes('What held at the earlier time, and of which nobody said so at the later one'),
    truncated: Type.Boolean({ description: 'Whether there is more than this answer has' }),
    truncatedBy: Nullable(OneOf(['changes', 'edges', 'columns', 'time'], 'What made the answer end')),
    nextCursor: Nullable(
      Type.String({ description: 'Send as `cursor` to go on; null where there is no more, or no more is looked for' })
    )
  },
  { $id: 'LineageDifference' }
)
export type Difference = Static<typeof Difference>
