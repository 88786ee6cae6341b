import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Name, OneOf, Timestamp, Version } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { content } from './model/schema.ts'

const EVERYONE = ['none', 'view', 'edit'] as const
export const Everyone = OneOf(
  EVERYONE,
  'What all who have a role may do with it; those who may edit need the right to write dashboards'
)

const Message = Type.Optional(
  Type.String({ maxLength: 500, description: 'What the change is about, for the history of the dashboard' })
)

const optional = {
  description: Type.Optional(content.description),
  folder: Type.Optional(content.folder),
  tags: Type.Optional(content.tags),
  panels: Type.Optional(content.panels),
  variables: Type.Optional(content.variables),
  timeRange: Type.Optional(content.timeRange),
  timeZone: Type.Optional(content.timeZone),
  refreshSeconds: Type.Optional(content.refreshSeconds),
  links: Type.Optional(content.links)
}

export const DashboardCreate = Closed(
  { name: content.name, ...optional, everyone: Type.Optional(Everyone), message: Message },
  {
    $id: 'DashboardCreate',
    description:
      'Shows the last six hours unless it says otherwise. Everybody may see and edit it unless `everyone` says otherwise.'
  }
)
export type DashboardCreate = Static<typeof DashboardCreate>

export const DashboardUpdate = Closed(
  { name: Type.Optional(content.name), ...optional, message: Message },
  { $id: 'DashboardUpdate' }
)
export type DashboardUpdate = Static<typeof DashboardUpdate>

/** The content as a file: what `export` gives and `import` takes. */
export const DashboardFile = Closed({ name: content.name, ...optional }, { $id: 'DashboardFile' })
export type DashboardFile = Static<typeof DashboardFile>

const Owner = Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Who made it' })

const CopiedFrom = Type.Unsafe<{ id: string; name: string; version: number } | null>({
  type: ['object', 'null'],
  required: ['id', 'name', 'version'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, version: { type: 'integer' } },
  description: 'The dashboard that this one was copied from, as it was called then'
})

const about = {
  everyone: Everyone,
  owner: Owner,
  copiedFrom: CopiedFrom,
  mayEdit: Type.Boolean({ description: 'Whether you may change it' }),
  isFavourite: Type.Boolean({ description: 'Whether it is one of your favourites' }),
  version: Version,
  createdAt: Timestamp('When it was made'),
  updatedAt: Timestamp('When it was last changed')
}

export const Dashboard = Type.Object(
  { id: Id('dsh', 'dashboard'), ...content, ...about },
  {
    $id: 'Dashboard',
    examples: [
      {
        id: 'dsh_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'Presses',
        description: 'Temperature of the oil, by line',
        folder: 'plant/hall 2',
        tags: ['presses'],
        panels: [
          {
            id: 'oil',
            title: 'Oil of line $line',
            type: 'line',
            query: {
              sourceId: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
              tags: ['press.temperature{line=$line}'],
              function: 'max'
            },
            position: { x: 0, y: 0, w: 12, h: 8 },
            options: {
              unit: '°C',
              thresholds: [
                { value: null, color: 'green' },
                { value: 80, color: 'red' }
              ]
            }
          }
        ],
        variables: [{ name: 'line', type: 'list', values: [{ value: '1' }, { value: '2' }] }],
        timeRange: { from: '-6h', to: 'now' },
        timeZone: 'Europe/Berlin',
        refreshSeconds: 30,
        links: [],
        everyone: 'edit',
        owner: { id: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd', name: 'Ada' },
        copiedFrom: null,
        mayEdit: true,
        isFavourite: false,
        version: 3,
        createdAt: '2026-01-01T07:58:12.104Z',
        updatedAt: '2026-03-09T14:20:31.250Z'
      }
    ]
  }
)
export type Dashboard = Static<typeof Dashboard>

export const ListedDashboard = Type.Object(
  {
    id: Id('dsh', 'dashboard'),
    name: content.name,
    description: content.description,
    folder: content.folder,
    tags: content.tags,
    panelCount: Type.Integer({ minimum: 0 }),
    ...about
  },
  { $id: 'ListedDashboard' }
)
export type ListedDashboard = Static<typeof ListedDashboard>

export const DashboardParams = Params('dashboard', 'id', { id: Type.String({ maxLength: 64 }) })

export const DashboardQuery = ListQuery(['name', 'updatedAt', 'createdAt'], {
  q: Search,
  folder: Type.Optional(Type.String({ maxLength: 500, description: 'In this folder, or in one below it' })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'With this tag' })),
  owner: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a user, or `me`' })),
  favourite: Type.Optional(Type.Boolean({ description: 'Whether they are favourites of yours' })),
  resource: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Those that read a source, bucket, connector or pipeline' })
  )
})
export type DashboardQuery = Static<typeof DashboardQuery>
export const DashboardPage = Page('dashboards', ListedDashboard)

export const Folders = Type.Object({
  folders: Type.Array(
    Type.Object({ folder: content.folder, dashboards: Type.Integer({ minimum: 1, description: 'Directly in it' }) }),
    { description: 'In order of their names; at most 10,000' }
  )
})

export const DuplicateBody = Closed(
  { name: Type.Optional(Name('The name of the copy')) },
  { $id: 'DashboardDuplicate' }
)
export type DuplicateBody = Static<typeof DuplicateBody>

export const Duplicate = Type.Object({
  ...Dashboard.properties,
  notCopied: Type.Array(Type.String(), { description: 'What the copy does not have of the original, in words' })
})
export type Duplicate = Static<typeof Duplicate>
