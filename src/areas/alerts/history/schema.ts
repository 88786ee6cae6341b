import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { BriefDelivery } from '../deliveries/schema.ts'
import { Labels } from '../rules/schema.ts'
import { ALERT_STATES, SEVERITIES } from '../rules/words.ts'
import type { HeldBy } from '../silences/holding.ts'

const Note = Type.String({ maxLength: 2000, description: 'For others who look at it' })
const State = OneOf(ALERT_STATES, 'How it stands')
const Severity = OneOf(SEVERITIES, 'That of its rule when it fired')
const User = (description: string) => Nullable(Id('usr', description))

const HeldByOut = Type.Unsafe<HeldBy | null>({
  type: ['object', 'null'],
  required: ['type', 'id'],
  properties: {
    type: OneOf(['alert-silence', 'alert-inhibition'], 'What it is'),
    id: Type.String({ description: 'Identifier of the silence or inhibition' })
  },
  description:
    'What keeps people from being told of it now; null where nothing does, and once it is resolved. Where alerts are asked for'
})

export const Alert = Type.Object(
  {
    id: Id('alt', 'alert'),
    ruleId: Id('alr', 'rule'),
    ruleName: Type.String({ description: 'What the rule was called when it fired' }),
    labels: Labels,
    annotations: Labels,
    severity: Severity,
    state: State,
    value: Nullable(Type.Number({ description: 'When it fired; null where it fired because there was none' })),
    threshold: Nullable(Type.Number({ description: 'What the value was compared with' })),
    cause: Nullable(Type.String({ description: 'Why there was no value' })),
    startedAt: Timestamp('When it fired'),
    acknowledgedAt: Nullable(Timestamp('When somebody took it on')),
    acknowledgedBy: User('user who did'),
    acknowledgedUntil: Nullable(Timestamp('When it fires again unless it is resolved by then; null: never')),
    note: Nullable(Note),
    resolvedAt: Nullable(Timestamp('When it was over')),
    resolvedBy: User('user who resolved it; null where it resolved by itself'),
    resolveReason: Nullable(
      OneOf(
        ['recovered', 'vanished', 'manual', 'rule-disabled', 'rule-deleted'],
        'Why it is over: the condition is no longer met, its label set is gone, somebody said so, or its rule is gone'
      )
    ),
    heldBy: Type.Optional(HeldByOut),
    deliveries: Type.Optional(
      Type.Array(BriefDelivery, { description: 'The last ten messages about it, the newest first' })
    ),
    version: Version
  },
  {
    $id: 'Alert',
    examples: [
      {
        id: 'alt_01kb8y2m6ze8r4n0c5t7w9q3fd',
        ruleId: 'alr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        ruleName: 'oil too hot',
        labels: {
          line: '2',
          source: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
          tag: 'press.temperature{line=2}',
          team: 'presses'
        },
        annotations: { summary: 'The oil of a press is too hot' },
        severity: 'critical',
        state: 'acknowledged',
        value: 91.5,
        threshold: 80,
        cause: null,
        startedAt: '2026-03-09T14:20:31.250Z',
        acknowledgedAt: '2026-03-09T14:22:02.114Z',
        acknowledgedBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        acknowledgedUntil: null,
        note: 'Pump is being changed',
        resolvedAt: null,
        resolvedBy: null,
        resolveReason: null,
        heldBy: null,
        deliveries: [],
        version: 2
      }
    ]
  }
)
export type Alert = Static<typeof Alert>

export const Acknowledgement = Closed(
  {
    note: Type.Optional(Note),
    until: Type.Optional(Timestamp('When it is to fire again unless it is resolved by then'))
  },
  { $id: 'AlertAcknowledgement' }
)
export type Acknowledgement = Static<typeof Acknowledgement>

export const Resolution = Closed({ note: Type.Optional(Note) }, { $id: 'AlertResolution' })
export type Resolution = Static<typeof Resolution>

const Time = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` }))

export const AlertParams = Params('alert', 'id', { id: Type.String({ maxLength: 64 }) })
export const AlertQuery = ListQuery(
  ['startedAt'],
  {
    state: Type.Optional(State),
    ruleId: Type.Optional(Type.String({ maxLength: 64, description: 'Identifier of the rule' })),
    severity: Type.Optional(Severity),
    from: Time('Those that fired from then on'),
    to: Time('Those that fired before'),
    label: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 401,
        pattern: '^[^:]+:',
        description: 'A label as `name:value`'
      })
    )
  },
  '-startedAt'
)
export type AlertQuery = Static<typeof AlertQuery>
export const AlertPage = Page('alerts', Alert)
