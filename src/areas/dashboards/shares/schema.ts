import { ListQuery, Page } from '../../../http/paging.ts'
import { Params, PlainParams } from '../../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Access, RoleId, UserId } from '../access/schema.ts'
import { ChosenValues, MAX_ROWS } from '../data/schema.ts'
import { imageQuery } from '../images/schema.ts'
import { content, Link, Position } from '../model/schema.ts'
import { PANEL_TYPES } from '../model/words.ts'

export const DEFAULT_PER_MINUTE = 600
const MAX_PASSWORD_CHARS = 200

const Origin = Type.String({
  maxLength: 300,
  pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
  description: 'Such as `https://intranet.example.com`, without a path'
})

/** One object for both ways of sharing, as the specification has one operation for them; `check.ts` says what goes together. */
export const ShareCreate = Closed(
  {
    name: Type.Optional(Name('What it is for, for the list of shares')),
    expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it ends; never if not said' })),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: MAX_PASSWORD_CHARS,
        description: 'What viewers have to know beside the link'
      })
    ),
    variables: Type.Optional(ChosenValues),
    readOnly: Type.Optional(
      Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Links only show; there are no others' })
    ),
    chooseTime: Type.Optional(
      Type.Boolean({
        description: 'Whether viewers may choose another time range than that of the dashboard; false if not said'
      })
    ),
    maxRows: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: `Rows of one panel at most; ${MAX_ROWS} if not said` })
    ),
    requestsPerMinute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: `Of all viewers together; ${DEFAULT_PER_MINUTE} if not said`
      })
    ),
    origins: Type.Optional(
      Type.Array(Origin, {
        maxItems: 20,
        uniqueItems: true,
        description: 'Sites whose pages may embed it; none if not said'
      })
    ),
    snapshotId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Shows this snapshot in place of what there is now' })
    ),
    users: Type.Optional(
      Type.Array(UserId, { maxItems: 100, uniqueItems: true, description: 'To share inside: with whom' })
    ),
    roles: Type.Optional(
      Type.Array(RoleId, { maxItems: 3, uniqueItems: true, description: 'To share inside: with which roles' })
    ),
    permission: Type.Optional(
      OneOf([...(['view', 'edit'] as const), 'none'], 'To share inside: what they may do; `none` takes it back')
    )
  },
  {
    $id: 'DashboardShareCreate',
    description:
      'A link: `name`, `expiresAt`, `password`, `variables`, `chooseTime`, `maxRows`, `requestsPerMinute`, `origins`, `snapshotId`. Inside: `users`, `roles`, `permission`.'
  }
)
export type ShareCreate = Static<typeof ShareCreate>

export const Share = Type.Object(
  {
    id: Id('shr', 'share'),
    dashboardId: Id('dsh', 'dashboard'),
    snapshotId: Nullable(Type.String()),
    name: Type.String(),
    status: OneOf(['active', 'expired', 'revoked', 'locked'], 'Whether the link works now'),
    hasPassword: Type.Boolean(),
    variables: ChosenValues,
    readOnly: Type.Boolean(),
    chooseTime: Type.Boolean(),
    maxRows: Type.Integer(),
    requestsPerMinute: Type.Integer(),
    origins: Type.Array(Type.String()),
    expiresAt: Nullable(Timestamp('When it ends')),
    revokedAt: Nullable(Timestamp('When it was revoked')),
    lockedUntil: Nullable(Timestamp('Until when no password is accepted, after too many wrong ones')),
    views: Type.Integer({ minimum: 0, description: 'How often it was opened' }),
    lastViewedAt: Nullable(Timestamp('When it was last opened')),
    createdBy: Type.Object({ id: Type.String(), name: Type.String() }),
    createdAt: Timestamp('When it was made')
  },
  { $id: 'DashboardShare' }
)
export type Share = Static<typeof Share>

/** What sharing answers: a new link with its address, or who may see the dashboard now. */
export const Shared = Type.Unsafe<Shared>({
  type: 'object',
  $id: 'DashboardShared',
  properties: {
    ...Share.properties,
    url: { type: 'string', description: 'Of a link: where viewers find it; told only now' },
    token: { type: 'string', description: 'Of a link: what the address is made of; told only now' },
    access: { ...Access, $id: undefined, description: 'Inside: who may see and change the dashboard now' }
  }
})
export type Shared = Partial<Share> & { url?: string; token?: string; access?: Access }

export const ShareDetail = Type.Object({
  ...Share.properties,
  lastViews: Type.Array(
    Type.Object({
      at: Timestamp('When'),
      from: OneOf(['this machine', 'private network', 'internet'], 'Where the viewer was')
    }),
    { description: 'The last 20, the newest first' }
  )
})
export type ShareDetail = Static<typeof ShareDetail>

export const ShareParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  shareId: Type.String({ maxLength: 64 })
})
export const ShareQuery = ListQuery(['createdAt'], {}, '-createdAt')
export type ShareQuery = Static<typeof ShareQuery>
export const SharePage = Page('shares', Share)

export const TokenParams = PlainParams({ token: Type.String({ maxLength: 100 }) })

const Pass = Type.Optional(
  Type.String({ maxLength: 200, description: 'What `unlock` answered, where the link has a password' })
)
export const TokenQuery = Type.Object({ access: Pass }, { additionalProperties: false })

const { format, theme, width, scale } = imageQuery
export const SharedImageQuery = Type.Object(
  { access: Pass, format, theme, width, scale },
  { additionalProperties: false }
)

const unlocking = { password: Type.String({ maxLength: MAX_PASSWORD_CHARS }) }
export const UnlockBody = Closed(unlocking, { $id: 'DashboardUnlock' })
/** The same, as the form of a page sends it. */
export const UnlockForm = Closed(unlocking)
export const Unlocked = Type.Object({
  access: Type.String({ description: 'To be sent as `access` with every request' }),
  expiresAt: Timestamp('Until then')
})

const SharedPanel = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  type: OneOf(PANEL_TYPES, 'How it is drawn'),
  position: Position,
  options: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  links: Type.Optional(Type.Array(Link))
})

/** What a viewer with a link gets to know: nothing of where the data lie. */
export const SharedDashboard = Type.Object(
  {
    name: content.name,
    description: content.description,
    panels: Type.Array(SharedPanel),
    variables: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        isFixed: Type.Boolean({ description: 'Whether it can’t be changed by viewers' })
      })
    ),
    timeRange: content.timeRange,
    chooseTime: Type.Boolean(),
    timeZone: Type.String(),
    refreshSeconds: Nullable(Type.Integer()),
    snapshotAt: Nullable(Timestamp('Of a snapshot: when its data were read')),
    expiresAt: Nullable(Timestamp('When the link ends'))
  },
  { $id: 'SharedDashboard' }
)
export type SharedDashboard = Static<typeof SharedDashboard>
