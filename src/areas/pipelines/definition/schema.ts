import { Force } from '../../../http/in-use.ts'
import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ActivitySchema, LastRun, NodeFigures, RunErrorSchema } from '../runs/schema.ts'
import { PIPELINE_STATES } from '../store/states.ts'

const MAX_NODES = 200
const MAX_INPUTS = 64
/** Beyond what is allowed, so that the refusal can name the node. */
const MAX_NAME_CHARS = 200

const PipelineName = Name('What people call it; no two have the same')
const Description = Type.String({ maxLength: 2000 })
const Status = OneOf(
  PIPELINE_STATES,
  'What its last run does: `stopped` also before the first, `completed` after a source that ends, `failed` with an `error`'
)

export const Node = Closed({
  id: Type.String({ maxLength: MAX_NAME_CHARS, description: 'A letter, then letters, digits, _ and -; up to 63' }),
  type: Type.String({ maxLength: MAX_NAME_CHARS, description: 'One of `GET /api/pipelines/node-types`' }),
  config: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      description: 'An object as the schema of the type says. Secrets read `********`; sent back, they stay as they are'
    })
  ),
  inputs: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_NAME_CHARS }), {
      maxItems: MAX_INPUTS,
      description: 'The nodes whose records it gets; none for a source'
    })
  )
})
export type NodeBody = Static<typeof Node>

export const Nodes = Type.Array(Node, { minItems: 1, maxItems: MAX_NODES })

const facts = {
  id: Id('pl', 'pipeline'),
  name: PipelineName,
  description: Description,
  status: Status
}
const dates = {
  version: Version,
  createdAt: Timestamp('When it was made'),
  updatedAt: Timestamp('When its definition was last changed; running is no change')
}

const LISTED_EXAMPLE = {
  id: 'pl_01kb8y2m6ze8r4n0c5t7w9q3fd',
  name: 'press readings',
  description: 'Readings of the presses, cleaned',
  status: 'running',
  nodes: 3,
  version: 2,
  createdAt: '2026-03-09T13:00:00.000Z',
  updatedAt: '2026-03-09T13:20:00.000Z'
}

export const ListedPipeline = Type.Object(
  { ...facts, nodes: Type.Integer({ minimum: 0, description: 'How many nodes it has' }), ...dates },
  { $id: 'ListedPipeline', examples: [LISTED_EXAMPLE] }
)
export type ListedPipeline = Static<typeof ListedPipeline>

const NODES_EXAMPLE = [
  { id: 'ticks', type: 'generate', config: { fields: { t: 'now()', v: 'random()' }, ratePerS: 10 }, inputs: [] },
  { id: 'high', type: 'filter', config: { where: 'v > 0.5' }, inputs: ['ticks'] },
  {
    id: 'out',
    type: 'object',
    config: { bucket: 'readings', prefix: 'press/', format: 'parquet' },
    inputs: ['high']
  }
]

export const Pipeline = Type.Object(
  {
    ...facts,
    nodes: Type.Array(Node),
    error: Nullable(RunErrorSchema),
    activity: Nullable(ActivitySchema),
    run: LastRun,
    nodeFigures: Type.Array(NodeFigures, {
      description: 'What each node has done in the last run, in the order of `nodes`; empty before the first'
    }),
    ...dates
  },
  {
    $id: 'Pipeline',
    examples: [{ ...LISTED_EXAMPLE, nodes: NODES_EXAMPLE, error: null, activity: null, run: null, nodeFigures: [] }]
  }
)
export type Pipeline = Static<typeof Pipeline>

export const PipelineCreate = Closed(
  { name: PipelineName, description: Type.Optional(Description), nodes: Nodes },
  { $id: 'PipelineCreate' }
)
export type PipelineCreate = Static<typeof PipelineCreate>

export const PipelineUpdate = Closed(
  {
    name: Type.Optional(PipelineName),
    description: Type.Optional(Description),
    nodes: Type.Optional(Nodes)
  },
  { $id: 'PipelineUpdate' }
)
export type PipelineUpdate = Static<typeof PipelineUpdate>

export const PipelineDeletion = Type.Object({ force: Force() }, { additionalProperties: false })

export const PipelineQuery = ListQuery(['name', 'createdAt'], { q: Search, status: Type.Optional(Status) })
export type PipelineQuery = Static<typeof PipelineQuery>
export const PipelinePage = Page('pipelines', ListedPipeline)
