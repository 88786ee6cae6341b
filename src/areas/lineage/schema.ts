import { Params } from '../../http/params.ts'
import { Closed, Nullable, OneOf, Timestamp } from '../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../http/times.ts'
import { type Static, Type } from '../../http/type.ts'
import { NODE_KINDS } from './references.ts'

/** A reference is percent-encoded in an address, and each of its characters may take nine there. */
const MAX_ID_CHARS = 1200

const REFERENCE = 'A data reference, `dataset://<namespace>/<name>` or `job://<namespace>/<name>`'
export const NodeId = (description = REFERENCE) => Type.String({ minLength: 1, maxLength: MAX_ID_CHARS, description })

/** Room for the longest names that databases give. */
const MAX_COLUMN_CHARS = 1000
export const ColumnName = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_COLUMN_CHARS, description })

export const HOWS = ['captured', 'parsed', 'openlineage', 'manual'] as const
export const MAPPING_KINDS = ['identity', 'computed', 'masked', 'filtered', 'joined', 'grouped', 'sorted'] as const
export const EDGE_TYPES = ['reads', 'writes', 'links', 'same', 'renamed', 'overlaps'] as const

const How = OneOf(HOWS, 'How it is known: the platform did it, from SQL, from an OpenLineage event, or from a person')
export const MappingKindOut = OneOf(
  MAPPING_KINDS,
  'What becomes of the column: itself, a part of a value, a value that hides it; or which rows there are'
)

const Column = Type.Object({
  name: Type.String({ description: 'Name of the column' }),
  type: Nullable(Type.String({ description: 'Its type, where it is known' }))
})

export const Node = Type.Object(
  {
    id: NodeId('Its reference'),
    kind: OneOf(NODE_KINDS, 'What it is'),
    name: Type.String({ description: 'For people' }),
    description: Type.String({ description: 'What somebody said of it' }),
    owners: Type.Array(Type.String(), { description: 'Who answers for it' }),
    columns: Type.Array(Column, { description: 'Its columns, where they are known; the first 100 in a graph' }),
    columnCount: Nullable(Type.Integer({ description: 'How many columns it has; null where they are not known' })),
    deleted: Type.Boolean({ description: 'Whether it is gone; what it read and wrote stays in the past' }),
    deletedAt: Nullable(Timestamp('Since when it is gone; null where it is there'))
  },
  { $id: 'LineageNode' }
)
export type Node = Static<typeof Node>

const RUN_STATES = ['running', 'completed', 'failed', 'aborted', 'other'] as const

export const RunFields = {
  id: Type.String({ description: 'What the job calls it' }),
  state: OneOf(RUN_STATES, 'How it stands'),
  stateAt: Timestamp('Since when'),
  startedAt: Timestamp('When it began'),
  error: Nullable(Type.String({ description: 'What it failed at, in the words of whoever ran it' }))
}

export const LastRun = Nullable(
  Type.Object(RunFields, {
    description: 'The newest run of a job; null for data, and for jobs that no run was told of'
  })
)
export type LastRun = Static<typeof LastRun>

export const FoundNode = Type.Object({
  ...Node.properties,
  distance: Type.Integer({ minimum: 0, description: 'Edges from the root' }),
  lastRun: LastRun
})

const Claim = Type.Object({
  how: How,
  who: Type.String({ description: 'Area, producer or user' }),
  startedAt: Timestamp('Start of the first run that named it'),
  lastSeenAt: Timestamp('Start of the last run that named it'),
  endedAt: Nullable(Timestamp('When a run no longer named it; null while it lasts')),
  runs: Type.Integer({ minimum: 0, description: 'Completed runs that named it' })
})

const MappingOnEdge = Type.Object({
  from: Type.Object({
    id: NodeId('The data that it comes from'),
    column: Nullable(Type.String({ description: 'Their column; null for all of them' }))
  }),
  column: Nullable(Type.String({ description: 'The column that it goes to; null where it decides about rows' })),
  kind: MappingKindOut
})

export const Edge = Type.Object(
  {
    from: NodeId('Where data comes from'),
    to: NodeId('Where it goes'),
    type: OneOf(
      EDGE_TYPES,
      '`reads`: data into a job; `writes`: a job into data; `links`: drawn by a person; `same`: two names of the same data; `renamed`: what it was called before; `overlaps`: their names have some data in common'
    ),
    startedAt: Timestamp('Since when it is known'),
    lastSeenAt: Timestamp('When it was last seen'),
    endedAt: Nullable(Timestamp('Not any more from then on; null while it lasts')),
    provenance: Type.Array(Claim, { description: 'Everybody who says so' }),
    columns: Type.Optional(
      Type.Array(MappingOnEdge, {
        description:
          'What becomes of columns, for edges into data where columns are asked for, and which columns a quality rule looks at; 1,000 at most'
      })
    ),
    columnsLeftOut: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          description: 'How many more there are; null where the answer had too many to count them'
        })
      )
    )
  },
  { $id: 'LineageEdge' }
)
export type Edge = Static<typeof Edge>

export const Depth = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Edges from the root at most; 10 if not said. From data to data there are two'
  })
)
export const AsOf = Type.Optional(
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `The graph as it was then: ${TIME_FORM}` })
)
export const Cursor = Type.Optional(
  Type.String({ maxLength: 10_000, description: 'The `nextCursor` of the answer before' })
)
const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 10_000, description: 'Nodes of one answer, 1000 if not said' })
)

const walking = { depth: Depth, asOf: AsOf, limit: Limit, cursor: Cursor }
const Types = Type.Optional(
  Type.String({
    maxLength: 200,
    pattern: `^(${NODE_KINDS.join('|')})(,(${NODE_KINDS.join('|')}))*$`,
    'x-expected': `one or more of ${NODE_KINDS.join(', ')}, with commas and nothing else between them`,
    description: `Kinds of nodes to show, with commas: ${NODE_KINDS.join(' ')}. Edges lead past the others`
  })
)

const WithColumns = Type.Optional(
  Type.Boolean({ description: 'Show what becomes of columns on edges into data; not, if not said' })
)

export const WalkQuery = Closed({ ...walking, types: Types, columns: WithColumns })
export type WalkQuery = Static<typeof WalkQuery>

export const GraphQuery = Closed({
  root: Type.Optional(NodeId(`Where to begin. ${REFERENCE}. Without it, everything`)),
  direction: Type.Optional(
    OneOf(['upstream', 'downstream', 'both'], 'Which way to go from the root; both if not said')
  ),
  ...walking,
  types: Types,
  columns: WithColumns
})
export type GraphQuery = Static<typeof GraphQuery>

export const NodeParams = Params('lineage-node', 'id', { id: NodeId(`${REFERENCE}, percent-encoded`) })

const Truncated = {
  truncated: Type.Boolean({ description: 'Whether there is more than this answer has' }),
  truncatedBy: Nullable(OneOf(['nodes', 'edges', 'time'], 'What made the answer end')),
  nextCursor: Nullable(
    Type.String({
      description:
        'Send as `cursor` to go on; null where there is no more, and where `types` had 100,000 nodes or edges looked at: ask from further on, or with less depth'
    })
  )
}

export const Graph = Type.Object(
  {
    root: Nullable(NodeId('Where it begins')),
    asOf: Timestamp('The time that it is about'),
    nodes: Type.Array(FoundNode, { description: 'The nearest first' }),
    edges: Type.Array(Edge, { description: 'Between nodes of this answer and those before it' }),
    ...Truncated
  },
  { $id: 'LineageGraph' }
)
export type Graph = Static<typeof Graph>

export const ColumnPlace = Type.Object({
  id: NodeId('The data'),
  column: Nullable(Type.String({ description: 'The column; null for all of the data, or which rows they have' }))
})

export const ColumnEdge = Type.Object(
  {
    from: ColumnPlace,
    to: ColumnPlace,
    kind: MappingKindOut,
    job: Nullable(NodeId('The job that does it; null between two names of the same data, and by hand')),
    startedAt: Edge.properties.startedAt,
    lastSeenAt: Edge.properties.lastSeenAt,
    endedAt: Edge.properties.endedAt,
    provenance: Edge.properties.provenance
  },
  { $id: 'LineageColumnEdge' }
)
export type ColumnEdge = Static<typeof ColumnEdge>

export const PathQuery = Closed({
  from: NodeId(`Where the way begins. ${REFERENCE}`),
  to: NodeId('Where it ends'),
  fromColumn: Type.Optional(ColumnName('The way that the values of this column take; any column, if not said')),
  toColumn: Type.Optional(ColumnName('The way that values take to this column; to any column, if not said')),
  asOf: AsOf
})
export type PathQuery = Static<typeof PathQuery>

export const Path = Type.Object(
  {
    from: NodeId('Where the way begins'),
    to: NodeId('Where it ends'),
    asOf: Timestamp('The time that it is about'),
    found: Type.Boolean({ description: 'Whether there is a way, as far as was looked' }),
    nodes: Type.Array(Node, { description: 'In the order of a shortest way' }),
    edges: Type.Array(Edge),
    columns: Type.Array(ColumnEdge, { description: 'The way from column to column, where one is asked about' }),
    truncated: Type.Boolean({ description: 'Whether the search was given up: there may be a way all the same' })
  },
  { $id: 'LineagePath' }
)
export type Path = Static<typeof Path>
