import type { Content } from '../model/schema.ts'
import type { ShareRow, SnapshotRow } from './migrations.ts'
import type { Share, SharedDashboard } from './schema.ts'

function statusOf({ revoked_at, expires_at, locked_until }: ShareRow, now: string): Share['status'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  return locked_until !== null && locked_until > now ? 'locked' : 'active'
}

export function toShare(row: ShareRow, now: string): Share {
  return {
    id: row.id,
    dashboardId: row.dashboard_id,
    snapshotId: row.snapshot_id,
    name: row.name,
    status: statusOf(row, now),
    hasPassword: row.password !== null,
    variables: JSON.parse(row.variables),
    readOnly: true,
    chooseTime: row.choose_time === 1,
    maxRows: row.max_rows,
    requestsPerMinute: row.per_minute,
    origins: JSON.parse(row.origins),
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lockedUntil: row.locked_until !== null && row.locked_until > now ? row.locked_until : null,
    views: row.views,
    lastViewedAt: row.last_viewed_at,
    createdBy: { id: row.created_by, name: row.created_by_name },
    createdAt: row.created_at
  }
}

/** What a viewer gets to know of a dashboard: nothing of where its data lie, and how they are asked for. */
export function toShared(content: Content, row: ShareRow, snapshot: SnapshotRow | undefined): SharedDashboard {
  const fixed = JSON.parse(row.variables) as Readonly<Record<string, unknown>>
  return {
    name: content.name,
    description: content.description,
    panels: content.panels.map(({ id, title, description, type, position, options, links }) => ({
      id,
      title,
      ...(description !== undefined && { description }),
      type,
      position,
      ...(options !== undefined && { options }),
      ...(links !== undefined && { links })
    })),
    variables: content.variables.map(({ name, label, type }) => ({
      name,
      label: label ?? name,
      isFixed: snapshot !== undefined || type === 'constant' || Object.hasOwn(fixed, name)
    })),
    timeRange: content.timeRange,
    chooseTime: snapshot === undefined && row.choose_time === 1,
    timeZone: content.timeZone,
    refreshSeconds: snapshot === undefined ? content.refreshSeconds : null,
    snapshotAt: snapshot?.created_at ?? null,
    expiresAt: row.expires_at
  }
}
