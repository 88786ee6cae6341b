import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { asked, PanelData } from '../data/schema.ts'
import { Content } from '../model/schema.ts'

export const SnapshotCreate = Closed(
  { name: Type.Optional(Name('What it is called')), ...asked },
  { $id: 'DashboardSnapshotCreate' }
)
export type SnapshotCreate = Static<typeof SnapshotCreate>

export const Snapshot = Type.Object(
  {
    id: Id('snp', 'snapshot'),
    dashboardId: Id('dsh', 'dashboard'),
    name: Type.String(),
    dashboardVersion: Version,
    createdBy: Type.String({ description: 'Identifier of the user' }),
    createdAt: Timestamp('When its data were read')
  },
  { $id: 'DashboardSnapshot' }
)
export type Snapshot = Static<typeof Snapshot>

export const SnapshotDetail = Type.Object({
  ...Snapshot.properties,
  content: Content,
  panels: Type.Array(PanelData)
})
export type SnapshotDetail = Static<typeof SnapshotDetail>

export const SnapshotParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  snapshotId: Type.String({ maxLength: 64 })
})
export const SnapshotQuery = ListQuery(['createdAt'], {}, '-createdAt')
export type SnapshotQuery = Static<typeof SnapshotQuery>
export const SnapshotPage = Page('snapshots', Snapshot)
