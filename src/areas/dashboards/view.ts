import type { Actor } from '../../http/permissions.ts'
import { mayEdit } from './access/rights.ts'
import { readContent } from './definition.ts'
import type { DashboardRow, GrantRow } from './migrations.ts'
import type { Dashboard, ListedDashboard } from './schema.ts'

/** What somebody sees of a dashboard depends on who it is. */
export interface Sight {
  readonly actor: Actor
  readonly grants: readonly GrantRow[]
  readonly isFavourite: boolean
}

export function toDashboard(row: DashboardRow, sight: Sight): Dashboard {
  return { id: row.id, ...readContent(row), ...aboutOf(row, sight) }
}

export function toListed(row: DashboardRow, sight: Sight): ListedDashboard {
  const { name, description, folder, panels } = row
  const { tags } = readContent(row)
  return { id: row.id, name, description, folder, tags, panelCount: panels, ...aboutOf(row, sight) }
}

function aboutOf(row: DashboardRow, { actor, grants, isFavourite }: Sight) {
  return {
    everyone: row.everyone,
    owner: { id: row.owner_id, name: row.owner_name },
    copiedFrom: row.copied_from === null ? null : JSON.parse(row.copied_from),
    mayEdit: mayEdit(actor, row, grants),
    isFavourite,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** What a change of a dashboard is about, for the audit trail. */
export function factsOf(row: DashboardRow) {
  return { id: row.id, ...readContent(row), everyone: row.everyone, owner: row.owner_id, version: row.version }
}
