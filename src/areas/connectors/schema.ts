import { COLUMN_TYPES, STREAM_KINDS } from '../../engines/drivers/index.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { MASK } from '../../http/sealed-config.ts'
import { type Static, Type } from '../../http/type.ts'
import { ConfigBody, ConnectionTest } from '../integration/index.ts'

const STATUSES = ['untested', 'healthy', 'failing'] as const

const ConnectorName = Name('What people call it')
const SourceId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9-]+$',
  description: 'What it connects: the id of a source of `GET /api/integration/sources`'
})
const Status = OneOf(
  STATUSES,
  'What came of its last test; `untested` since it was made or its configuration was changed'
)
const { success, message, checks } = ConnectionTest.properties

const LastTest = Type.Object({ at: Timestamp('When it was tested'), success, message, checks })

export const Connector = Type.Object(
  {
    id: Id('cn', 'connector'),
    name: ConnectorName,
    sourceId: SourceId,
    config: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: `As its source says; what is secret reads \`${MASK}\``
    }),
    status: Status,
    statusSince: Timestamp('Since when the status is what it is'),
    lastTest: Nullable(LastTest),
    streams: Nullable(
      Type.Object(
        {
          total: Type.Integer({ minimum: 0, description: 'How many were found' }),
          whole: Type.Boolean({ description: 'Whether there were no more than are kept, which are 10,000' }),
          stale: Type.Boolean({
            description: 'Whether the configuration has become another since, so that other streams may be there now'
          }),
          discoveredAt: Timestamp('When they were found')
        },
        { description: 'What can be read, of which `GET …/streams` tells more; null until it was discovered' }
      )
    ),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed; a test is no change')
  },
  {
    $id: 'Connector',
    examples: [
      {
        id: 'cn_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'orders',
        sourceId: 'postgres',
        config: { host: 'db.plant.example', database: 'plant', user: 'reader', password: MASK, tls: true },
        status: 'untested',
        statusSince: '2026-01-01T08:00:00.000Z',
        lastTest: null,
        streams: null,
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Connector = Static<typeof Connector>

const AuthorizationId = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'What a person has permitted, see `POST /api/integration/authorizations`: its secrets are taken where `config` has none'
  })
)

export const ConnectorCreate = Closed(
  { name: ConnectorName, sourceId: SourceId, config: ConfigBody, authorizationId: AuthorizationId },
  { $id: 'ConnectorCreate', description: 'Nothing is called: `POST …/test` tells whether it works.' }
)
export type ConnectorCreate = Static<typeof ConnectorCreate>

/** What a connector is shown with and nobody changes. */
export const READ_ONLY = [
  'id',
  'sourceId',
  'status',
  'statusSince',
  'lastTest',
  'streams',
  'version',
  'createdAt',
  'updatedAt'
] as const satisfies readonly (keyof Connector)[]
type ReadOnlyField = (typeof READ_ONLY)[number]

const ReadOnly = () =>
  Type.Optional(
    Type.Unknown({ description: 'Can’t be changed: only what it is now may be sent back, which does nothing' })
  )

export const ConnectorUpdate = Closed(
  {
    name: Type.Optional(ConnectorName),
    config: Type.Optional(ConfigBody),
    authorizationId: AuthorizationId,
    ...(Object.fromEntries(READ_ONLY.map((field) => [field, ReadOnly()])) as Record<
      ReadOnlyField,
      ReturnType<typeof ReadOnly>
    >)
  },
  {
    $id: 'ConnectorUpdate',
    description: `What \`GET\` answered may be sent back with changes in it. \`config\` takes the place of the one before. A secret in it sent as \`${MASK}\`, or not at all, stays as it is, while it goes to the same place; null takes it away.`
  }
)
export type ConnectorUpdate = Static<typeof ConnectorUpdate>

export const ConnectorParams = Params('connector', 'id', { id: Type.String({ maxLength: 64 }) })
export const ConnectorQuery = ListQuery(['createdAt', 'name'], {
  q: Search,
  sourceId: Type.Optional(SourceId),
  status: Type.Optional(Status)
})
export type ConnectorQuery = Static<typeof ConnectorQuery>
export const ConnectorPage = Page('connectors', Connector)

const Test = Type.Object(
  {
    id: Id('cnt', 'test'),
    at: Timestamp('When it was tested'),
    success,
    code: Nullable(Type.String({ description: 'That of the step that failed; null where all worked' })),
    message,
    checks
  },
  {
    $id: 'ConnectorTest',
    examples: [
      {
        id: 'cnt_01kb8y2m6ze8r4n0c5t7w9q3fd',
        at: '2026-01-01T08:00:00.000Z',
        success: true,
        code: null,
        message: 'Everything that reading needs works: public.orders can be read',
        checks: []
      }
    ]
  }
)
export const TestQuery = ListQuery(['at'], {})
export type TestQuery = Static<typeof TestQuery>
export const TestPage = Page('tests', Test)

const StreamName = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Name of a stream, such as `public.orders`'
})
const Column = Type.Object({
  name: Type.String(),
  type: OneOf(COLUMN_TYPES, 'What its values are'),
  nullable: Type.Boolean({ description: 'Whether values may be missing' })
})

export const Stream = Type.Object(
  {
    name: StreamName,
    reference: Type.String({ description: 'What data references and lineage call it' }),
    kind: OneOf(STREAM_KINDS, 'What it is there'),
    readable: Type.Boolean({
      description: 'Whether the user of the connector may read it, as far as the system tells'
    }),
    columns: Type.Array(Column),
    keys: Type.Array(Type.String(), { description: 'The columns that identify a record' }),
    cursors: Type.Array(Type.String(), { description: 'The columns that reading can go on by' }),
    note: Nullable(
      Type.String({
        description:
          'Why it can’t be read, or why its columns could not be seen when it was last looked; then they are those that were seen before'
      })
    )
  },
  {
    $id: 'ConnectorStream',
    examples: [
      {
        name: 'public.orders',
        reference: 'connector://cn_01kb8y2m6ze8r4n0c5t7w9q3fd/public.orders',
        kind: 'table',
        readable: true,
        columns: [{ name: 'id', type: 'bigint', nullable: false }],
        keys: ['id'],
        cursors: ['id'],
        note: null
      }
    ]
  }
)
export type Stream = Static<typeof Stream>
export const StreamQuery = ListQuery(['name'], { q: Search })
export type StreamQuery = Static<typeof StreamQuery>
export const StreamPage = Page('streams', Stream)

const Names = (description: string) => Type.Array(Type.String(), { description })
export const Discovery = Type.Object(
  {
    total: Type.Integer({ minimum: 0, description: 'How many streams there are' }),
    whole: Type.Boolean({ description: 'Whether there are no more than were looked at, which are 10,000' }),
    added: Names('Streams that were not there before; the first 100'),
    removed: Names('Streams that are there no more; the first 100'),
    changed: Type.Array(
      Type.Object({
        name: StreamName,
        columnsAdded: Names('Columns that are new'),
        columnsRemoved: Names('Columns that are gone'),
        columnsChanged: Names('Columns of another type than before')
      }),
      { description: 'Streams with other columns than before; the first 100' }
    ),
    notes: Type.Array(Type.Object({ name: StreamName, note: Type.String() }), {
      description: 'Streams that can’t be read, or whose columns could not be seen, and why; the first 100'
    })
  },
  {
    $id: 'ConnectorDiscovery',
    examples: [{ total: 1, whole: true, added: ['public.orders'], removed: [], changed: [], notes: [] }]
  }
)
export type Discovery = Static<typeof Discovery>

export const SampleRequest = Closed(
  {
    stream: StreamName,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: '100 unless said. By a cursor there are more where several have the same value as the last'
      })
    ),
    cursor: Type.Optional(
      Closed({
        column: Type.String({ minLength: 1, maxLength: 500, description: 'A column whose values grow' }),
        after: Type.Optional(
          Type.String({
            maxLength: 65_000,
            description: 'Only records beyond this value, or the `position` of an answer'
          })
        )
      })
    )
  },
  { $id: 'ConnectorSampleRequest' }
)
export type SampleRequest = Static<typeof SampleRequest>

export const Sample = Type.Object(
  {
    stream: StreamName,
    columns: Type.Array(Type.Object({ name: Type.String(), type: Column.properties.type })),
    records: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }), {
      description: 'Whole numbers beyond 2^53 and decimals are texts, bytes are base64, times are in UTC'
    }),
    position: Nullable(
      Type.String({
        description:
          'To give as `after` for what comes next, the same as before where nothing came; null without a cursor'
      })
    ),
    truncated: Type.Boolean({ description: 'Whether there are fewer than asked for because they are large' }),
    masked: Type.Array(Type.String(), { description: 'Columns whose values the caller may not see' }),
    notes: Type.Array(Type.String(), { description: 'What was left out of what was read, in words' })
  },
  {
    $id: 'ConnectorSample',
    examples: [
      {
        stream: 'public.orders',
        columns: [{ name: 'id', type: 'integer' }],
        records: [{ id: 1 }],
        position: null,
        truncated: false,
        masked: [],
        notes: []
      }
    ]
  }
)
export type Sample = Static<typeof Sample>
