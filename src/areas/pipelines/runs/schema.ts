import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { PIPELINE_STATES } from '../store/states.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const RunErrorSchema = Type.Object(
  {
    code: Type.String({ description: 'Stable: `unreachable`' }),
    message: Type.String(),
    nodeId: Nullable(Type.String({ description: 'The node at fault, where it is one' })),
    since: Type.Optional(Timestamp('When it failed like this first, of what is being tried again')),
    attempts: Type.Optional(Type.Integer({ minimum: 1, description: 'How often it was tried since' }))
  },
  {
    description:
      'Why it failed or, while `starting` or `running`, what is being tried again; the next batch that is committed clears it',
    examples: [{ code: 'unreachable', message: 'The broker does not answer', nodeId: 'readings' }]
  }
)

const Ledger = Type.Object(
  {
    recordsRead: Count('By sources'),
    recordsWritten: Count('By sinks, each for itself'),
    recordsFiltered: Count('Dropped on purpose'),
    recordsDeadLettered: Count('Kept as dead letters'),
    recordsMerged: Count('Taken in by nodes that make other records of them'),
    recordsAdded: Count('Made by such nodes, and by handing the same records to more than one node')
  },
  {
    $id: 'PipelineLedger',
    description: 'What became of records: read + added = written + filtered + deadLettered + merged',
    examples: [
      {
        recordsRead: 1000,
        recordsWritten: 480,
        recordsFiltered: 519,
        recordsDeadLettered: 1,
        recordsMerged: 0,
        recordsAdded: 0
      }
    ]
  }
)

const Share = (description: string) =>
  Type.Object(
    {
      done: Type.Integer({ minimum: 0 }),
      total: Nullable(
        Type.Integer({ minimum: 0, description: 'Null where there is no end (`watch`), or it is not counted' })
      )
    },
    { description }
  )

export const NodeFigures = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the node' }),
    recordsIn: Count('Records it was given, refused ones among them; of a source, those it read'),
    recordsOut: Count('Records it gave, or wrote'),
    errors: Count('Records it refused, and attempts that failed'),
    lagMs: Nullable(
      Type.Integer({ minimum: 0, description: 'How far a source is behind; null where that is not known' })
    ),
    progress: Nullable(
      Type.Object(
        {
          objects: Share('Objects that are through as a whole'),
          bytes: Share('Of these objects, and of the one under way')
        },
        {
          description: 'How much of what a `file` reads is through all nodes; null for other nodes',
          examples: [{ objects: { done: 3, total: 12 }, bytes: { done: 73400320, total: 268435456 } }]
        }
      )
    ),
    batchesPerS: Type.Number({ minimum: 0, description: 'On average, from the start of the run to now or to its end' })
  },
  { $id: 'PipelineNodeFigures' }
)
export type NodeFigures = Static<typeof NodeFigures>

export const ActivitySchema = Type.Object(
  {
    nodeId: Type.String({ description: 'The node that it is at' }),
    what: Type.String({ description: 'Such as `batch 12`' }),
    records: Count('Records of that batch, or as many as are done'),
    share: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'How far the statement is that runs; null where that is not known'
      })
    ),
    since: Timestamp('When it began with that')
  },
  { description: 'What a run is at that has committed nothing for more than 10 seconds' }
)
export const RunWarning = Type.Object(
  {
    nodeId: Type.String({ description: 'The node it is about' }),
    code: Type.String({ description: 'Stable: `nothing_matches`, `read_nothing`, `wrote_nothing`, `not_delivered`' }),
    message: Type.String()
  },
  {
    $id: 'PipelineRunWarning',
    examples: [
      {
        nodeId: 'files',
        code: 'nothing_matches',
        message: 'object://plant/in/*.csv matches no object; there is nothing to read'
      }
    ]
  }
)

const runFields = {
  id: Id('run', 'run'),
  kind: OneOf(
    ['normal', 'replay'],
    '`replay`: it put dead letters through and read no source; its pipeline is afterwards what it was before'
  ),
  number: Type.Integer({ minimum: 1, description: 'Counts the runs of the pipeline' }),
  version: Type.Integer({ minimum: 1, description: 'The version of the definition that it runs' }),
  status: OneOf(PIPELINE_STATES, 'What it does, or how it ended'),
  startedBy: Type.String({ description: 'Identifier of the user who started it' }),
  startedAt: Timestamp('When it was started'),
  endedAt: Nullable(Timestamp('When it ended; null while it has not')),
  ledger: Ledger,
  balanced: Type.Boolean({
    description: 'Whether every record of the batches that are done is accounted for; at any time it should be'
  }),
  recordsUnderWay: Count('Records of the batch that is being put through now, which the ledger does not count yet'),
  error: Nullable(RunErrorSchema),
  activity: Nullable(ActivitySchema),
  warnings: Type.Array(RunWarning, {
    description:
      'What is no failure and hardly meant: when it was started (`nothing_matches`), and once it has ended (`read_nothing`, `wrote_nothing`, `not_delivered`)'
  })
}

/** The last run, as it is shown with its pipeline. */
export const LastRun = Nullable(Type.Object(runFields, { description: 'The last run; null before the first' }))

export const Run = Type.Object({ ...runFields, nodes: Type.Array(NodeFigures) }, { $id: 'PipelineRun' })
export type Run = Static<typeof Run>

export const RunParams = Params('pipeline', 'id', {
  id: Type.String({ maxLength: 64 }),
  runId: Type.String({ maxLength: 64 })
})
export const RunQuery = ListQuery(
  ['startedAt'],
  {
    status: Type.Optional(OneOf(PIPELINE_STATES, 'What it does, or how it ended')),
    kind: Type.Optional(OneOf(['normal', 'replay'], 'Those that read their sources, or put dead letters through'))
  },
  '-startedAt'
)
export type RunQuery = Static<typeof RunQuery>
export const RunPage = Page('runs', Run)
