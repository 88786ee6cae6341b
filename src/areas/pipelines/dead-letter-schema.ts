import { ListQuery, Page } from '../../http/paging.ts'
import { Closed, Id, Nullable, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

/** Dead letters that one request replays. */
export const MAX_REPLAYED = 1000

const NodeId = Type.String({ minLength: 1, maxLength: 63, description: 'Identifier of the node that refused them' })
const DeadLetterId = Type.String({ minLength: 1, maxLength: 64 })

const DeadLetter = Type.Object(
  {
    id: Id('dl', 'dead letter'),
    runId: Id('run', 'run'),
    nodeId: NodeId,
    code: Type.String({ description: 'Stable: `invalid_value`' }),
    reason: Type.String(),
    record: Type.Unknown({ description: 'The record as the node got it, or the text that was received' }),
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
        code: 'invalid_value',
        reason: "Could not convert string 'n/a' to DOUBLE",
        record: { press: 2, temperature: 'n/a' },
        createdAt: '2026-03-09T13:00:00.000Z',
        replayedAt: null
      }
    ]
  }
)
export type DeadLetter = Static<typeof DeadLetter>

export const DeadLetterQuery = ListQuery(
  ['createdAt'],
  {
    node: Type.Optional(NodeId),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Why it was refused' })),
    replayed: Type.Optional(Type.Boolean({ description: 'Those that were put through again, or those that were not' }))
  },
  '-createdAt'
)
export type DeadLetterQuery = Static<typeof DeadLetterQuery>
export const DeadLetterPage = Page('deadLetters', DeadLetter)

export const ReplayBody = Nullable(
  Closed(
    {
      ids: Type.Optional(
        Type.Array(DeadLetterId, {
          minItems: 1,
          maxItems: MAX_REPLAYED,
          uniqueItems: true,
          description: 'Which dead letters'
        })
      ),
      nodeId: Type.Optional(NodeId)
    },
    { $id: 'Replay', description: 'Without `ids`, the oldest that wait, of all nodes or of one' }
  )
)
export type ReplayBody = Static<typeof ReplayBody>

export const ReplayResult = Type.Object(
  {
    replayed: Type.Integer({ minimum: 0, description: 'Records that were put through again and committed' }),
    skipped: Type.Array(
      Type.Object({
        id: Type.String(),
        code: Type.String({ description: '`not_found`, `already_replayed`, `not_a_record`, `no_such_node`' }),
        message: Type.String()
      }),
      { description: 'Those that can’t be' }
    ),
    waiting: Type.Integer({ minimum: 0, description: 'Dead letters of the pipeline that wait now' })
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
            message: 'What the source received is no record; send it to the source again, corrected'
          }
        ],
        waiting: 1
      }
    ]
  }
)
export type ReplayResult = Static<typeof ReplayResult>

export const DeleteQuery = Type.Object({ node: Type.Optional(NodeId) }, { additionalProperties: false })
export const DeletedCount = Type.Object({ deleted: Type.Integer({ minimum: 0 }) })
