import { CHANNEL_KINDS } from '../../../engines/channels/index.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { DELIVERY_STATES } from '../notifications/migrations.ts'

const KINDS = ['firing', 'resolved', 'acknowledged', 'escalation', 'test'] as const

const Kind = OneOf(KINDS, 'What the message is about')
const State = OneOf(
  DELIVERY_STATES,
  'Whether it arrived (`sent`), is to be tried (`waiting`), was given up after too many attempts (`failed`), or would be refused again (`refused`)'
)

const Attempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: Timestamp('When it was sent'),
  durationMs: Type.Integer({ minimum: 0, description: 'How long the answer took' }),
  outcome: OneOf(
    ['sent', 'refused', 'failed', 'unknown'],
    'What came of it; `unknown` where the server ended in the middle, so that it may have arrived'
  ),
  status: Nullable(Type.Integer({ description: 'Of HTTP or SMTP, where there was an answer' })),
  code: Type.String({ description: 'A stable word for what happened, such as `ok`, `timeout` or `rate_limited`' }),
  answer: Type.String({ description: 'What the other side said, or what is wrong; without secrets' })
})

const facts = {
  id: Id('dlv', 'delivery'),
  channelId: Id('chn', 'channel'),
  channelName: Type.String({ description: 'What the channel was called then' }),
  kind: Kind,
  state: State
}

/** What an alert says of the messages about it. */
export const BriefDelivery = Type.Object({
  ...facts,
  attempts: Type.Integer({ minimum: 0, description: 'How often it was tried' }),
  createdAt: Timestamp('When the message was made'),
  endedAt: Nullable(Timestamp('When it arrived or was given up'))
})
export type BriefDelivery = Static<typeof BriefDelivery>

const delivery = {
  ...facts,
  channelType: OneOf(CHANNEL_KINDS, 'How it is sent'),
  title: Type.String({ description: 'The first line of the message' }),
  attempts: Type.Array(Attempt, { description: 'Each try, the first one first' }),
  maxAttempts: Type.Integer({ minimum: 1, description: 'After so many it is given up' }),
  nextAttemptAt: Nullable(Timestamp('While it waits: when it is tried next, if the channel may be sent to then')),
  createdAt: Timestamp('When the message was made'),
  endedAt: Nullable(Timestamp('When it arrived or was given up')),
  replayOf: Nullable(Id('dlv', 'delivery that it says again'))
}

const EXAMPLE = {
  id: 'dlv_01kb8y2m6ze8r4n0c5t7w9q3fd',
  channelId: 'chn_01kb8y2m6ze8r4n0c5t7w9q3fd',
  channelName: 'on call',
  channelType: 'webhook',
  kind: 'firing',
  state: 'sent',
  title: 'FIRING: oil too hot (line=2)',
  attempts: [
    {
      number: 1,
      at: '2026-03-09T14:20:41.250Z',
      durationMs: 10_002,
      outcome: 'failed',
      status: null,
      code: 'timeout',
      answer: 'no answer within 10 s'
    },
    {
      number: 2,
      at: '2026-03-09T14:20:57.004Z',
      durationMs: 84,
      outcome: 'sent',
      status: 200,
      code: 'ok',
      answer: 'ok'
    }
  ],
  maxAttempts: 12,
  nextAttemptAt: null,
  createdAt: '2026-03-09T14:20:41.250Z',
  endedAt: '2026-03-09T14:20:57.088Z',
  replayOf: null
}

export const Delivery = Type.Object(delivery, { $id: 'AlertDelivery', examples: [EXAMPLE] })
export type Delivery = Static<typeof Delivery>

export const WholeDelivery = Type.Object(
  {
    ...delivery,
    text: Type.String({ description: 'The message below its title' }),
    alerts: Type.Array(
      Type.Object({
        id: Id('alt', 'alert'),
        state: OneOf(['firing', 'acknowledged', 'resolved'], 'What the message says of it')
      })
    )
  },
  { $id: 'AlertDeliveryWhole' }
)
export type WholeDelivery = Static<typeof WholeDelivery>

export const DeliveryParams = Params('alert-delivery', 'id', { id: Type.String({ maxLength: 64 }) })
export const DeliveryQuery = ListQuery(
  ['createdAt'],
  {
    channelId: Type.Optional(Type.String({ maxLength: 64, description: 'Identifier of the channel' })),
    alertId: Type.Optional(Type.String({ maxLength: 64, description: 'Identifier of an alert that it is about' })),
    state: Type.Optional(State),
    kind: Type.Optional(Kind)
  },
  '-createdAt'
)
export type DeliveryQuery = Static<typeof DeliveryQuery>
export const DeliveryPage = Page('deliveries', Delivery)
