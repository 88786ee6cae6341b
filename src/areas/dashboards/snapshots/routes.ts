import { watchCaller } from '../../../http/caller.ts'
import { change, perform, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { DashboardParams } from '../schema.ts'
import { Snapshot, SnapshotCreate, SnapshotDetail, SnapshotPage, SnapshotParams, SnapshotQuery } from './schema.ts'
import type { Snapshots } from './service.ts'

export function snapshotRoutes(snapshots: Snapshots): Route[] {
  return [
    perform(
      {
        method: 'POST',
        path: '/dashboards/:id/snapshots',
        operationId: 'createDashboardSnapshot',
        summary: 'Keep a dashboard with the data that it shows now',
        description: 'As far as you may see them. At most 10 MiB of data; a dashboard has at most 100 snapshots.',
        permission: 'dashboards:write',
        audit: 'dashboard-snapshot.create',
        status: 201,
        params: DashboardParams,
        body: SnapshotCreate,
        answer: Snapshot,
        errors: ['not_yours_to_edit', 'too_many_shares', 'snapshot_too_large']
      },
      async (context) => {
        const caller = watchCaller(context.raw)
        try {
          return await snapshots.create(context, context.params.id, context.body, caller.signal)
        } finally {
          caller.release()
        }
      }
    ),
    read(
      {
        path: '/dashboards/:id/snapshots',
        operationId: 'listDashboardSnapshots',
        summary: 'List the snapshots of a dashboard',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: SnapshotQuery,
        answer: SnapshotPage
      },
      ({ actor, params, query }) => snapshots.list(actor, params.id, query)
    ),
    read(
      {
        path: '/dashboards/:id/snapshots/:snapshotId',
        operationId: 'getDashboardSnapshot',
        summary: 'Get a snapshot with its data',
        description: 'It takes the right to see the data as they are labelled now.',
        permission: 'dashboards:read',
        params: SnapshotParams,
        answer: SnapshotDetail,
        errors: ['above_clearance']
      },
      ({ actor, params }) => snapshots.get(actor, params.id, params.snapshotId)
    ),
    change(
      {
        method: 'DELETE',
        path: '/dashboards/:id/snapshots/:snapshotId',
        operationId: 'deleteDashboardSnapshot',
        summary: 'Delete a snapshot, and the links to it',
        permission: 'dashboards:write',
        audit: 'dashboard-snapshot.delete',
        params: SnapshotParams,
        answer: Nothing,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params }) => snapshots.delete(tx, actor, params.id, params.snapshotId)
    )
  ]
}
