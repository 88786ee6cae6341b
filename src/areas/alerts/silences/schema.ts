import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { Matchers as Given } from '../matchers.ts'

const SILENCE_STATES = ['pending', 'active', 'expired'] as const
export type SilenceState = (typeof SILENCE_STATES)[number]

const MAX_MATCHERS = 20
const MAX_LABEL_CHARS = 200

export const LabelName = { maxLength: MAX_LABEL_CHARS, pattern: `^[^\\u0000]{1,${MAX_LABEL_CHARS}}$` }

export const Matchers = (description: string) =>
  Type.Unsafe<Given>({
    type: 'object',
    minProperties: 1,
    maxProperties: MAX_MATCHERS,
    patternProperties: { [LabelName.pattern]: { type: 'string', maxLength: MAX_LABEL_CHARS } },
    additionalProperties: false,
    description: `${description}: names of labels, \`rule\` and \`severity\` among them, each with a value or a pattern (\`*\` and \`?\` without a slash, \`**\`, \`[ab]\`); a label that is lacking is the empty text`
  })

const fields = {
  matchers: Matchers('The alerts that nobody is told of'),
  reason: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Why, for others who wonder' }),
  endsAt: Timestamp('When they are told of again, if they are still open; at most a year after it starts')
}

export const SilenceCreate = Closed(
  {
    matchers: fields.matchers,
    reason: fields.reason,
    startsAt: Type.Optional(Timestamp('When it starts, within a year; now if not said')),
    endsAt: Type.Optional(fields.endsAt),
    for: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DURATION_CHARS,
        description: `In place of \`endsAt\`: how long it lasts; ${DURATION_FORM}`
      })
    )
  },
  { $id: 'AlertSilenceCreate', description: 'With `endsAt` or `for`.' }
)
export type SilenceCreate = Static<typeof SilenceCreate>

export const SilenceUpdate = Closed(
  {
    matchers: Type.Optional(fields.matchers),
    reason: Type.Optional(fields.reason),
    endsAt: Type.Optional(fields.endsAt)
  },
  { $id: 'AlertSilenceUpdate' }
)
export type SilenceUpdate = Static<typeof SilenceUpdate>

const State = OneOf(SILENCE_STATES, 'Whether it is yet to start, holds alerts back, or is over')

export const Silence = Type.Object(
  {
    id: Id('sil', 'silence'),
    ...fields,
    startsAt: Timestamp('When it starts'),
    state: State,
    createdBy: Id('usr', 'user who made it'),
    alerts: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'How many open alerts it matches now, none once it has expired; where one silence is asked for, or was made'
      })
    ),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'AlertSilence',
    examples: [
      {
        id: 'sil_01kb8y2m6ze8r4n0c5t7w9q3fd',
        matchers: { rule: 'oil too hot', line: '[12]' },
        reason: 'The pumps of lines 1 and 2 are changed',
        startsAt: '2026-03-09T14:20:31.250Z',
        endsAt: '2026-03-09T18:20:31.250Z',
        state: 'active',
        createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        alerts: 2,
        version: 1,
        createdAt: '2026-03-09T14:20:31.250Z',
        updatedAt: '2026-03-09T14:20:31.250Z'
      }
    ]
  }
)
export type Silence = Static<typeof Silence>

export const SilenceParams = Params('alert-silence', 'id', { id: Type.String({ maxLength: 64 }) })
export const SilenceQuery = ListQuery(
  ['createdAt', 'startsAt', 'endsAt'],
  {
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the reason, in upper or lower case' })
    ),
    state: Type.Optional(State)
  },
  '-createdAt'
)
export type SilenceQuery = Static<typeof SilenceQuery>
export const SilencePage = Page('silences', Silence)
