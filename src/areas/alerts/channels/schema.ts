import { CHANNEL_KINDS } from '../../../engines/channels/index.ts'
import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { MASK } from '../../../http/sealed-config.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Span } from '../rules/schema.ts'

const MAX_LABEL_CHARS = 200
const MAX_TEMPLATE_CHARS = 8192
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const ChannelName = Name('What people call it; receivers of webhooks are told')
const Kind = OneOf(CHANNEL_KINDS, 'How messages are sent')
const Config = Type.Unsafe<Readonly<Record<string, unknown>>>({
  description: 'An object as its type says, see `GET /api/alerts/channels/types`'
})

const TimeOfDay = (description: string) => Type.String({ minLength: 1, maxLength: 5, description })
const MuteWindow = Closed({
  days: Type.Optional(
    Type.Array(OneOf(WEEKDAYS, 'A day of the week'), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'The days on which it begins; all if not said'
    })
  ),
  from: TimeOfDay('HH:MM'),
  to: TimeOfDay('HH:MM, or 24:00; where it is no later than `from`, the window ends on the next day')
})

const settings = {
  groupBy: Type.Array(Type.String({ minLength: 1, maxLength: MAX_LABEL_CHARS, description: 'Name of a label' }), {
    maxItems: 16,
    uniqueItems: true,
    description:
      'Alerts that agree in these labels are told together; `rule` and `severity` are labels too. None: all alerts of the channel are'
  }),
  groupWait: Span('From the first alert of a group to its message, `0s` to `1h`'),
  groupInterval: Span('Between two messages of one group at least, `10s` to `1d`'),
  repeatInterval: Span('Between messages about alerts that still fire and that nobody has taken on, `1m` to `30d`'),
  sendResolved: Type.Boolean({ description: 'Whether it is told when alerts are over' }),
  muteWindows: Type.Array(MuteWindow, {
    maxItems: 50,
    uniqueItems: true,
    description: 'Parts of each week in which nothing is said; what still holds after one is told then'
  }),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'Of `muteWindows`: `Europe/Berlin`' })
}

const Template = (of: string) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEMPLATE_CHARS,
      description: `The template of the ${of}; null: that of all channels`
    })
  )
const templates = { titleTemplate: Template('title'), textTemplate: Template('text') }
const Enabled = Type.Boolean({ description: 'Whether anything is sent' })

const optionalSettings = {
  enabled: Type.Optional(Enabled),
  groupBy: Type.Optional(settings.groupBy),
  groupWait: Type.Optional(settings.groupWait),
  groupInterval: Type.Optional(settings.groupInterval),
  repeatInterval: Type.Optional(settings.repeatInterval),
  sendResolved: Type.Optional(settings.sendResolved),
  muteWindows: Type.Optional(settings.muteWindows),
  timeZone: Type.Optional(settings.timeZone),
  titleTemplate: Type.Optional(templates.titleTemplate),
  textTemplate: Type.Optional(templates.textTemplate)
}

export const ChannelCreate = Closed(
  { name: ChannelName, type: Kind, config: Config, ...optionalSettings },
  {
    $id: 'AlertChannelCreate',
    description:
      'Without the rest: grouped by rule, the first message after `10s`, the next not within `5m`, repeated every `4h`, and told when alerts are over.'
  }
)
export type ChannelCreate = Static<typeof ChannelCreate>

export const ChannelUpdate = Closed(
  {
    name: Type.Optional(ChannelName),
    type: Type.Optional(Kind),
    config: Type.Optional(Config),
    ...optionalSettings
  },
  {
    $id: 'AlertChannelUpdate',
    description: `\`config\` takes the place of the one before. A secret in it sent as \`${MASK}\`, or not at all, stays as it is, while it goes to the same place; null takes it away. Another \`type\` needs a whole \`config\`.`
  }
)
export type ChannelUpdate = Static<typeof ChannelUpdate>

const Health = Type.Object({
  failures: Type.Integer({ minimum: 0, description: 'Sends that failed one after the other, up to now' }),
  failingSince: Nullable(Timestamp('When the first of them failed')),
  lastError: Nullable(Type.String({ description: 'What the last one failed at; null while all is well' })),
  heldUntil: Nullable(Timestamp('Nothing is sent before: the receiver asked for it, or has failed several times')),
  lastSentAt: Nullable(Timestamp('When a message last arrived'))
})

export const Channel = Type.Object(
  {
    id: Id('chn', 'channel'),
    name: ChannelName,
    type: Kind,
    config: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: `As its type says; what is secret reads \`${MASK}\``
    }),
    enabled: Enabled,
    ...settings,
    ...templates,
    health: Health,
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed; a message is no change')
  },
  {
    $id: 'AlertChannel',
    examples: [
      {
        id: 'chn_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'presses',
        type: 'webhook',
        config: { url: 'https://tickets.example/alerts', secret: MASK, headers: { authorization: MASK } },
        enabled: true,
        groupBy: ['rule', 'line'],
        groupWait: '10s',
        groupInterval: '5m',
        repeatInterval: '4h',
        sendResolved: true,
        muteWindows: [{ days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
        timeZone: 'Europe/Berlin',
        titleTemplate: null,
        textTemplate: null,
        health: {
          failures: 0,
          failingSince: null,
          lastError: null,
          heldUntil: null,
          lastSentAt: '2026-03-09T14:20:42.017Z'
        },
        version: 1,
        createdAt: '2026-01-01T07:58:12.104Z',
        updatedAt: '2026-01-01T07:58:12.104Z'
      }
    ]
  }
)
export type Channel = Static<typeof Channel>

export const ChannelParams = Params('alert-channel', 'id', { id: Type.String({ maxLength: 64 }) })
export const ChannelQuery = ListQuery(['name', 'createdAt'], {
  q: Search,
  type: Type.Optional(Kind),
  enabled: Type.Optional(Enabled)
})
export type ChannelQuery = Static<typeof ChannelQuery>
export const ChannelPage = Page('channels', Channel)

export const ChannelTypes = Type.Object(
  {
    types: Type.Array(
      Type.Object({
        type: Kind,
        config: Type.Unsafe<object>({
          type: 'object',
          additionalProperties: true,
          description: 'The JSON Schema of `config`; what is secret is `writeOnly`'
        })
      })
    )
  },
  { $id: 'AlertChannelTypes' }
)

export const PreviewRequest = Closed(
  {
    channelId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The channel whose templates and grouping are taken' })
    ),
    titleTemplate: optionalSettings.titleTemplate,
    textTemplate: optionalSettings.textTemplate,
    alertId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The alert to tell of; one is invented if not said' })
    )
  },
  { $id: 'AlertChannelPreviewRequest', description: 'Templates that are given are taken instead of the channel’s.' }
)
export type PreviewRequest = Static<typeof PreviewRequest>

export const Preview = Type.Object(
  { title: Type.String({ description: 'One line' }), text: Type.String() },
  { $id: 'AlertChannelPreview' }
)
export type Preview = Static<typeof Preview>
