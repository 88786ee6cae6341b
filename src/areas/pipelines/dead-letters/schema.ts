import { ListQuery, Page } from '../../../http/paging.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Expression } from '../contract/config-parts.ts'

/** Dead letters that one request may name. */
const MAX_IDS = 1000
/** Dead letters that one request may try. */
const MAX_TRIED = 100

const NodeId = Type.String({ minLength: 1, maxLength: 63, description: 'Identifier of the node that refused them' })
const DeadLetterId = Type.String({ minLength: 1, maxLength: 64 })
const OriginSchema = Type.Unsafe<Readonly<Record<string, string | number>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number'] },
  description: 'Where it came from: object and line, topic, partition and offset, table, request'
})

const facts = {
  id: Id('dl', 'dead letter'),
  runId: Id('run', 'run'),
  nodeId: NodeId,
  inputId: Nullable(Type.String({ description: 'The input it came by, where the node has several' })),
  code: Type.String({ description: 'Stable: `invalid_value`' }),
  reason: Type.String(),
  origin: Nullable(OriginSchema)
}

const DeadLetter = Type.Object(
  {
    ...facts,
    record: Type.Unknown({ description: 'The record as the node got it, or the text that was received' }),
    recordTruncated: Type.Boolean({
      description: 'Whether `record` is only the beginning of its text; exports have all of it, and so have replays'
    }),
    createdAt: Timestamp('When it was refused'),
    replayedAt: Nullable(Timestamp('When it was put through again; null while it was not'))
  },
  {
    $id: 'DeadLetter',
    examples: [
      {
        id: 'dl_01kb8y2m6ze8r4n0c5t7w9q3fd',
        runId: 'run_01kb8y2m6ze8r4n0c5t7w9q3fd',
        nodeId: 'clean',
        inputId: null,
        code: 'invalid_value',
        reason: "Could not convert string 'n/a' to DOUBLE",
        origin: { object: 'object://uploads/march.csv', line: 17 },
        record: { press: 2, temperature: 'n/a' },
        recordTruncated: false,
        createdAt: '2026-03-09T13:00:00.000Z',
        replayedAt: null
      }
    ]
  }
)
export type DeadLetter = Static<typeof DeadLetter>

const filters = {
  nodeId: Type.Optional(NodeId),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Why they were refused' })),
  runId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The run that refused them' })),
  after: Type.Optional(Timestamp('Refused at this time or later')),
  before: Type.Optional(Timestamp('Refused before this time'))
}
const replayed = Type.Optional(
  Type.Boolean({ description: 'Those that were put through again, or those that were not' })
)

export const DeadLetterQuery = ListQuery(['createdAt'], { ...filters, replayed }, '-createdAt')
export type DeadLetterQuery = Static<typeof DeadLetterQuery>
export const DeadLetterPage = Page('deadLetters', DeadLetter)

const chosen = {
  ...filters,
  ids: Type.Optional(
    Type.Array(DeadLetterId, { minItems: 1, maxItems: MAX_IDS, uniqueItems: true, description: 'Which dead letters' })
  ),
  set: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      minProperties: 1,
      maxProperties: 500,
      patternProperties: { '^.{1,200}$': Expression('A SQL expression') },
      additionalProperties: false,
      description:
        'A correction: columns by name, each a SQL expression of the record as it was refused, such as `upper(unit)`'
    })
  )
}

export const ReplayBody = Nullable(
  Closed(chosen, { $id: 'Replay', description: 'Those that wait and that all of this holds for; without it, all' })
)
export type ReplayBody = Static<typeof ReplayBody>

export const ReplayResult = Type.Object(
  {
    replayed: Type.Integer({ minimum: 0, description: 'Records that were put through again and committed' }),
    skipped: Type.Array(
      Type.Object({
        id: Type.String(),
        code: Type.String({
          description:
            '`not_found`, `already_replayed`, `not_a_record`, `no_such_node`, `no_such_input` or `several_inputs`'
        }),
        message: Type.String()
      }),
      { description: 'The first hundred of those that can’t be' }
    ),
    skippedCount: Type.Integer({ minimum: 0, description: 'All of them' }),
    waiting: Type.Integer({ minimum: 0, description: 'Dead letters of the pipeline that wait now' }),
    runId: Nullable(
      Type.String({ description: 'The run that puts them through; null where there was nothing to put through' })
    )
  },
  {
    $id: 'ReplayResult',
    examples: [
      {
        replayed: 2,
        skipped: [
          {
            id: 'dl_01kb8y2m6ze8r4n0c5t7w9q3fd',
            code: 'not_a_record',
            message: 'What was received is no record; send it to the source again, corrected'
          }
        ],
        skippedCount: 1,
        waiting: 1,
        runId: 'run_01kb8y2m6ze8r4n0c5t7w9q3fd'
      }
    ]
  }
)
export type ReplayResult = Static<typeof ReplayResult>

export const TryBody = Nullable(
  Closed(
    {
      ...chosen,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_TRIED, description: 'How many are tried; 10 unless said' })
      )
    },
    { $id: 'ReplayTrial' }
  )
)
export type TryBody = Static<typeof TryBody>

const Place = { nodeId: Type.String({ description: 'Identifier of the node' }) }
const Tried = Type.Object({
  id: Id('dl', 'dead letter'),
  nodeId: NodeId,
  record: Type.Unknown({ description: 'As it was refused' }),
  corrected: Nullable(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'As the node would get it; null where it can’t be put through, or the correction fails'
    })
  ),
  written: Type.Array(
    Type.Object({
      ...Place,
      record: Type.Unknown(),
      asked: OneOf(
        ['all', 'own', 'none'],
        'Whether the sink would take it for `all` that it knows now; by its `own` rules, because who gets the records was not asked; or `none`: nothing can be told without writing'
      )
    }),
    {
      description: 'What would be written by sinks; nothing where a node filters it, or would hold it for later'
    }
  ),
  refused: Type.Array(Type.Object({ ...Place, code: Type.String(), reason: Type.String() }), {
    description: 'Who would refuse it, and why'
  })
})
export type Tried = Static<typeof Tried>
export const TryResult = Type.Object(
  {
    tried: Type.Array(Tried),
    isTimeUp: Type.Boolean({ description: 'Whether 10 s were over before all that were asked for had been tried' })
  },
  { $id: 'ReplayTrialResult' }
)
export type TryResult = Static<typeof TryResult>

export const Summary = Type.Object(
  {
    waiting: Type.Integer({ minimum: 0, description: 'All that wait' }),
    kinds: Type.Array(
      Type.Object({
        nodeId: NodeId,
        code: facts.code,
        count: Type.Integer({ minimum: 1 }),
        oldest: Timestamp('When the oldest of them was refused'),
        newest: Timestamp('When the newest of them was refused'),
        reason: Type.String({ description: 'That of the newest' })
      }),
      { description: 'By node and code, the most frequent first; at most 200' }
    )
  },
  {
    $id: 'DeadLetterSummary',
    examples: [
      {
        waiting: 3,
        kinds: [
          {
            nodeId: 'clean',
            code: 'invalid_value',
            count: 3,
            oldest: '2026-03-09T13:00:00.000Z',
            newest: '2026-03-09T13:20:00.000Z',
            reason: "Could not convert string 'n/a' to DOUBLE"
          }
        ]
      }
    ]
  }
)
export type Summary = Static<typeof Summary>

export const DeleteQuery = Type.Object({ ...filters, replayed }, { additionalProperties: false })
export type DeleteQuery = Static<typeof DeleteQuery>
export const DeletedCount = Type.Object({ deleted: Type.Integer({ minimum: 0 }) })
