import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ERROR_MODES, INSTANCE_STATES, NO_DATA_MODES } from '../evaluation/states.ts'
import { OPERATORS, SEVERITIES, WINDOW_FUNCTIONS } from './words.ts'

const MAX_CONDITIONS = 10
const MAX_REFERENCES = 10
const MAX_LABELS = 32
const MAX_LABEL_CHARS = 200
const MAX_SQL_CHARS = 20_000
const MAX_REFERENCE_CHARS = 2048
const MAX_CHANNELS = 20
const MAX_STEPS = 5

const MIN_INTERVAL_S = 10
const MAX_INTERVAL_S = 86_400
export const DEFAULT_INTERVAL_S = 60

export const Span = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_DURATION_CHARS, description: `${description}; ${DURATION_FORM}` })

const Limit = (description: string) =>
  Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, description })

const Texts = (description: string, maxChars: number) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    maxProperties: MAX_LABELS,
    patternProperties: { [`^[^\\u0000]{1,${MAX_LABEL_CHARS}}$`]: { type: 'string', maxLength: maxChars } },
    additionalProperties: false,
    description
  })

export const Labels = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Names and values'
})

/**
 * One kind of object for all kinds of conditions, because a union would answer every mistake with all that could have
 * been meant; `conditions.ts` says which fields go together.
 */
export const Condition = Closed(
  {
    sourceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Of points: the source in the catalog' })
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Of points: the name of a tag, or a pattern (`*`, `?`, `[ab]`), which has an instance for each tag'
      })
    ),
    function: Type.Optional(OneOf(WINDOW_FUNCTIONS, 'Of points: what is computed of those in the window')),
    window: Type.Optional(Span('Of points: how far it looks back')),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REFERENCE_CHARS,
        description: 'Of SQL: the data reference that it reads, by the name `input`'
      })
    ),
    references: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        minProperties: 1,
        maxProperties: MAX_REFERENCES,
        patternProperties: { '^.{1,63}$': { type: 'string', minLength: 1, maxLength: MAX_REFERENCE_CHARS } },
        additionalProperties: false,
        description: 'Of SQL: several data references by the names that it has for them'
      })
    ),
    sql: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_SQL_CHARS,
        description:
          'A SELECT: its column `value`, or the only one with numbers, is compared, and its texts are labels, an instance for each row'
      })
    ),
    operator: Type.Optional(OneOf(OPERATORS, 'How the value is compared')),
    threshold: Type.Optional(Limit('What it is compared with; of `inside` and `outside` the lower end')),
    upperThreshold: Type.Optional(Limit('Of `inside` and `outside`: the upper end')),
    event: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'What happens: one of `GET /api/alerts/events`' })
    ),
    filter: Type.Optional(Texts('Of an event: labels that it must have, each a value or a pattern', MAX_LABEL_CHARS))
  },
  {
    description:
      'Of points: `sourceId`, `tag`, `function`, `window`, `operator`, `threshold`. Of SQL: `reference` or `references`, `sql`, `operator`, `threshold`. Of something that happens: `event`, `filter`.'
  }
)
export type Condition = Static<typeof Condition>

const ChannelIds = (description: string, minItems = 0) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a channel' }), {
    minItems,
    maxItems: MAX_CHANNELS,
    uniqueItems: true,
    description
  })

const settings = {
  name: Name('What people call it'),
  description: Type.String({ maxLength: 2000 }),
  labels: Texts('Labels that its alerts have beside those of the instance', MAX_LABEL_CHARS),
  annotations: Texts('Texts for whoever gets the alert, such as `summary` or `runbook`', 2000),
  for: Nullable(Span('How long the condition has to be met before it fires; null: not at all')),
  keepFiringFor: Nullable(Span('How long it goes on firing once the condition is no longer met; null: not at all')),
  intervalSeconds: Type.Integer({
    minimum: MIN_INTERVAL_S,
    maximum: MAX_INTERVAL_S,
    description: 'How often it is evaluated'
  }),
  noData: OneOf(
    NO_DATA_MODES,
    'What no data means: all is well (`ok`), it fires (`alerting`), or a state of its own, without an alert (`nodata`)'
  ),
  noDataFor: Nullable(Span('How long data has to be missing, or asking for it to fail, before that means anything')),
  onError: OneOf(
    ERROR_MODES,
    'What an evaluation that fails means: a state of its own, without an alert (`error`), it fires (`alerting`), all is well (`ok`), or nothing (`keep`)'
  ),
  severity: OneOf(SEVERITIES, 'How bad it is when it fires'),
  channels: ChannelIds('Who is told when it fires'),
  escalation: Type.Array(
    Closed({
      after: Span('From when it fired, `1m` to `7d`, and later than the step before'),
      channels: ChannelIds('Who is told then', 1)
    }),
    {
      maxItems: MAX_STEPS,
      uniqueItems: true,
      description: 'Who else is told where nobody has taken the alert on by then, step by step'
    }
  ),
  enabled: Type.Boolean({ description: 'Whether it is evaluated' })
}

const Conditions = Type.Array(Condition, { minItems: 1, maxItems: MAX_CONDITIONS, description: 'Several conditions' })
const Join = OneOf(
  ['and', 'or'],
  'Of several conditions: `and` has an instance for each of the first that agrees with the others in all labels that both have, but `source` and `tag`; `or` has the instances of all'
)

export const RuleFields = {
  description: Type.Optional(settings.description),
  condition: Type.Optional(Condition),
  conditions: Type.Optional(Conditions),
  join: Type.Optional(Join),
  labels: Type.Optional(settings.labels),
  annotations: Type.Optional(settings.annotations),
  for: Type.Optional(settings.for),
  keepFiringFor: Type.Optional(settings.keepFiringFor),
  intervalSeconds: Type.Optional(settings.intervalSeconds),
  noData: Type.Optional(settings.noData),
  noDataFor: Type.Optional(settings.noDataFor),
  onError: Type.Optional(settings.onError),
  severity: Type.Optional(settings.severity),
  channels: Type.Optional(settings.channels),
  escalation: Type.Optional(settings.escalation),
  enabled: Type.Optional(settings.enabled)
}

export const RuleCreate = Closed(
  { name: settings.name, ...RuleFields },
  {
    $id: 'AlertRuleCreate',
    description: 'One `condition`, or `conditions` with `join`. It is evaluated every 60 seconds unless said otherwise.'
  }
)
export type RuleCreate = Static<typeof RuleCreate>

export const RuleUpdate = Closed({ name: Type.Optional(settings.name), ...RuleFields }, { $id: 'AlertRuleUpdate' })
export type RuleUpdate = Static<typeof RuleUpdate>

export const State = OneOf(INSTANCE_STATES, 'How it stands')

const LastEvaluation = Type.Unsafe<{ at: string; durationMs: number; error: string | null } | null>({
  type: ['object', 'null'],
  required: ['at', 'durationMs', 'error'],
  properties: {
    at: Timestamp('When it was'),
    durationMs: Type.Integer({
      minimum: 0,
      description: 'How long it took, with the rules evaluated together with it'
    }),
    error: Nullable(Type.String({ description: 'What it failed at' }))
  },
  description: 'Null before the first one'
})

export const Rule = Type.Object(
  {
    id: Id('alr', 'rule'),
    ...settings,
    condition: Type.Unsafe<Condition | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The condition where there is only one'
    }),
    conditions: Type.Array(Condition),
    join: Join,
    state: Nullable(
      OneOf(INSTANCE_STATES, 'That of its worst instance; null while it is disabled or was not evaluated')
    ),
    lastEvaluation: LastEvaluation,
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed; an evaluation is no change')
  },
  {
    $id: 'AlertRule',
    examples: [
      {
        id: 'alr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'oil too hot',
        description: '',
        labels: { team: 'presses' },
        annotations: { summary: 'The oil of a press is too hot' },
        for: '5m',
        keepFiringFor: null,
        intervalSeconds: 60,
        noData: 'nodata',
        noDataFor: '10m',
        onError: 'error',
        severity: 'critical',
        channels: ['chn_01kb8y2m6ze8r4n0c5t7w9q3fd'],
        escalation: [{ after: '30m', channels: ['chn_01kb8y2m7ar4k8d1x6p3s0v5hg'] }],
        enabled: true,
        condition: {
          sourceId: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
          tag: 'press.temperature{line=*}',
          function: 'avg',
          window: '5m',
          operator: '>',
          threshold: 80
        },
        conditions: [
          {
            sourceId: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
            tag: 'press.temperature{line=*}',
            function: 'avg',
            window: '5m',
            operator: '>',
            threshold: 80
          }
        ],
        join: 'and',
        state: 'firing',
        lastEvaluation: { at: '2026-03-09T14:20:31.250Z', durationMs: 12, error: null },
        version: 1,
        createdAt: '2026-01-01T07:58:12.104Z',
        updatedAt: '2026-01-01T07:58:12.104Z'
      }
    ]
  }
)
export type Rule = Static<typeof Rule>

export const RuleParams = Params('alert-rule', 'id', { id: Type.String({ maxLength: 64 }) })
export const RuleQuery = ListQuery(['name', 'createdAt'], {
  q: Search,
  state: Type.Optional(State),
  severity: Type.Optional(settings.severity),
  enabled: Type.Optional(settings.enabled)
})
export type RuleQuery = Static<typeof RuleQuery>
export const RulePage = Page('rules', Rule)

export const InstanceOut = Type.Object(
  {
    ruleId: Id('alr', 'rule'),
    labels: Labels,
    state: State,
    since: Timestamp('Since when it is in this state'),
    value: Nullable(Type.Number({ description: 'When its state last changed' })),
    cause: Nullable(
      Type.String({ description: 'Why there is no value, in the same words for all that lack one for this reason' })
    ),
    alertId: Nullable(Id('alt', 'alert that is open')),
    isQuiet: Type.Boolean({
      description: 'Its alert was resolved by hand: it does not fire again before the condition was false once'
    })
  },
  { $id: 'AlertInstance' }
)
export type InstanceOut = Static<typeof InstanceOut>

export const InstanceQuery = ListQuery(['labels'], { state: Type.Optional(State) })
export type InstanceQuery = Static<typeof InstanceQuery>
export const InstancePage = Page('instances', InstanceOut)

export const EventList = Type.Object({
  events: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As `event` of a condition' }),
      about: Type.String(),
      labels: Type.Array(Type.String(), { description: 'The names of its labels' })
    })
  )
})
