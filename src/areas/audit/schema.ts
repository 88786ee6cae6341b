import { ListQuery, Page } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Id, Nullable, OneOf, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const NEWEST_FIRST = '-time'

const Outcome = OneOf(['success', 'refused', 'failed'], 'Done; turned away; failed through no fault of the caller')

export const AuditLog = Type.Object(
  {
    id: Id('aud', 'audit row'),
    time: Timestamp('When it happened'),
    user: Nullable(
      Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Null where nobody knows who it was' })
    ),
    apiKey: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String({ description: 'As it was then' }) },
        {
          description:
            'The API key that was called with, also one that has expired or was revoked; null where it was none'
        }
      )
    ),
    action: Type.String({ description: '`<noun>.<verb>`; `sign-in` for a token that was not accepted' }),
    resourceType: Type.String(),
    resourceId: Nullable(Type.String()),
    outcome: Outcome,
    status: Type.Integer({ description: 'HTTP status of the answer' }),
    code: Nullable(Type.String({ description: 'Error code of the answer' })),
    ip: Type.String({ description: 'Empty for what no request, or requests from many addresses, brought about' }),
    userAgent: Nullable(Type.String()),
    requestId: Type.String(),
    changes: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }),
          description:
            'Field → what it was and what it became, without secrets. For refusals of strangers beyond the first of an hour, `refusals` counts all of that address and token from `since` on: one row tells of many'
        }
      )
    ),
    lane: Type.Integer({ description: 'The hash chain this row belongs to' }),
    seq: Type.Integer({ description: 'Its place in that chain' }),
    hash: Type.String({ description: 'SHA-256 over the hash before and this row' })
  },
  {
    $id: 'AuditLog',
    examples: [
      {
        id: 'aud_01kb8y2m6ze8r4n0c5t7w9q3fd',
        time: '2026-01-01T08:00:00.000Z',
        user: { id: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd', name: 'Ada' },
        apiKey: null,
        action: 'api-key.create',
        resourceType: 'api-key',
        resourceId: 'key_01kb8y2m6ze8r4n0c5t7w9q3fd',
        outcome: 'success',
        status: 201,
        code: null,
        ip: '127.0.0.1',
        userAgent: 'curl/8.5.0',
        requestId: 'req_01kb8y2m6ze8r4n0c5t7w9q3fd',
        changes: { name: { to: 'nightly export' } },
        lane: 0,
        seq: 42,
        hash: 'x6mRk0cJq1n9wq5nq2m1yV8rB2mX6pLsE0aBcDe1234'
      }
    ]
  }
)
export type AuditLog = Static<typeof AuditLog>

const range = {
  from: Type.Optional(Timestamp('Earliest time, included')),
  to: Type.Optional(Timestamp('Latest time, not included'))
}
const short = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const AuditQuery = ListQuery(
  ['time'],
  {
    user: short('Identifier of the user'),
    apiKeyId: short('Identifier of the API key that was called with, also of one that was deleted'),
    action: short('The action, or its beginning with a `*` at the end'),
    resourceType: short('Singular noun, such as `api-key`'),
    resourceId: short('Identifier of the resource'),
    outcome: Type.Optional(Outcome),
    ...range
  },
  NEWEST_FIRST
)
export type AuditQuery = Static<typeof AuditQuery>
export const AuditPage = Page('logs', AuditLog)

export const ActivityParams = Params('user', 'id', { id: Type.String({ maxLength: 64 }) })
export const ActivityQuery = ListQuery(['time'], range, NEWEST_FIRST)
export type ActivityQuery = Static<typeof ActivityQuery>

export const Activity = Type.Object(
  {
    userId: Type.String(),
    from: Timestamp('Beginning of what is counted, 30 days ago if not said'),
    to: Timestamp('End of what is counted'),
    perDay: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), count: Type.Integer() })),
    perAction: Type.Array(Type.Object({ action: Type.String(), count: Type.Integer() })),
    ...(AuditPage as unknown as { properties: typeof AuditPage.properties }).properties
  },
  { $id: 'Activity' }
)

export const VerificationAnswer = Type.Object(
  {
    ok: Type.Boolean(),
    rowsChecked: Type.Integer(),
    checkpointsChecked: Type.Integer(),
    firstBad: Nullable(
      Type.Object({
        lane: Type.Integer(),
        seq: Type.Integer(),
        id: Nullable(Type.String()),
        reason: OneOf(
          ['changed', 'missing', 'cut_off', 'not_ours', 'head_altered', 'checkpoint_altered'],
          'What is wrong with the row, or with the record of the chain at it'
        ),
        message: Type.String()
      })
    ),
    elapsedMs: Type.Integer()
  },
  { $id: 'AuditVerification' }
)

export const Checkpoints = Page(
  'checkpoints',
  Type.Object(
    {
      lane: Type.Integer(),
      seq: Type.Integer(),
      hash: Type.String(),
      time: Timestamp('When it was signed'),
      signature: Type.String({ description: 'Ed25519, base64url' })
    },
    { $id: 'AuditCheckpoint' }
  )
)
