import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { LabelName, Matchers } from '../silences/schema.ts'

const MAX_EQUAL = 16

const fields = {
  name: Name('What people call it'),
  source: Matchers('The alerts that hold others back while they are open'),
  target: Matchers('The alerts that nobody is told of meanwhile'),
  equal: Type.Array(Type.String(LabelName), {
    maxItems: MAX_EQUAL,
    uniqueItems: true,
    description: 'Names of labels that have the same value in both; one that both lack is the same'
  }),
  enabled: Type.Boolean({ description: 'Whether it holds alerts back' })
}

export const InhibitionCreate = Closed(
  {
    name: fields.name,
    source: fields.source,
    target: fields.target,
    equal: Type.Optional(fields.equal),
    enabled: Type.Optional(fields.enabled)
  },
  { $id: 'AlertInhibitionCreate' }
)
export type InhibitionCreate = Static<typeof InhibitionCreate>

export const InhibitionUpdate = Closed(
  {
    name: Type.Optional(fields.name),
    source: Type.Optional(fields.source),
    target: Type.Optional(fields.target),
    equal: Type.Optional(fields.equal),
    enabled: Type.Optional(fields.enabled)
  },
  { $id: 'AlertInhibitionUpdate' }
)
export type InhibitionUpdate = Static<typeof InhibitionUpdate>

export const Inhibition = Type.Object(
  {
    id: Id('inh', 'inhibition'),
    ...fields,
    createdBy: Id('usr', 'user who made it'),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'AlertInhibition',
    examples: [
      {
        id: 'inh_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'a line that is off',
        source: { rule: 'line is off' },
        target: { severity: '[iw]*' },
        equal: ['line'],
        enabled: true,
        createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        version: 1,
        createdAt: '2026-03-09T14:20:31.250Z',
        updatedAt: '2026-03-09T14:20:31.250Z'
      }
    ]
  }
)
export type Inhibition = Static<typeof Inhibition>

export const InhibitionParams = Params('alert-inhibition', 'id', { id: Type.String({ maxLength: 64 }) })
export const InhibitionQuery = ListQuery(['name', 'createdAt'], {
  q: Search,
  enabled: Type.Optional(fields.enabled)
})
export type InhibitionQuery = Static<typeof InhibitionQuery>
export const InhibitionPage = Page('inhibitions', Inhibition)
