import type { Migration } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'
import { annotationMigrations } from './annotations/migrations.ts'
import { shareMigrations } from './shares/migrations.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    dashboards: DashboardRow
    dashboard_versions: VersionRow
    dashboard_tags: TagRow
    dashboard_grants: GrantRow
    dashboard_favourites: FavouriteRow
    dashboard_uses: UseRow
  }
}

/** What all who have a role may do with a dashboard. */
export type Everyone = 'none' | 'view' | 'edit'

export interface DashboardRow extends Stamps {
  id: string
  name: string
  description: string
  folder: string
  /** JSON: everything of the content that lists do not filter by. */
  content: string
  panels: number
  everyone: Everyone
  owner_id: string
  owner_name: string
  /** JSON: identifier, name and version of the dashboard that this one was copied from. */
  copied_from: string | null
}

/** The content as it was from one change to the next. */
export interface VersionRow {
  dashboard_id: string
  version: number
  /** JSON: the whole content. */
  content: string
  /** What whoever changed it said about it. */
  message: string
  changed_by: string
  changed_at: string
}

export interface TagRow {
  dashboard_id: string
  tag: string
}

export interface GrantRow {
  dashboard_id: string
  kind: 'user' | 'role'
  /** Identifier of the user, or name of the role. */
  grantee: string
  permission: 'view' | 'edit'
}

export interface FavouriteRow {
  user_id: string
  dashboard_id: string
}

/** What the panels and variables of a dashboard name of other areas. */
export interface UseRow {
  dashboard_id: string
  resource_type: string
  resource_id: string
}

export const dashboardMigrations: readonly Migration[] = [
  {
    id: 'dashboards/001-dashboards',
    async up(db, type) {
      await db.schema
        .createTable('dashboards')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('folder', type.text, (column) => column.notNull())
        .addColumn('content', type.text, (column) => column.notNull())
        .addColumn('panels', type.integer, (column) => column.notNull())
        .addColumn('everyone', type.text, (column) => column.notNull())
        .addColumn('owner_id', type.text, (column) => column.notNull())
        .addColumn('owner_name', type.text, (column) => column.notNull())
        .addColumn('copied_from', type.text)
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('dashboards_by_name').on('dashboards').columns(['name', 'id']).execute()
      await db.schema.createIndex('dashboards_by_folder').on('dashboards').columns(['folder', 'name']).execute()
      await db.schema.createIndex('dashboards_by_change').on('dashboards').columns(['updated_at', 'id']).execute()
      await db.schema
        .createTable('dashboard_versions')
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('content', type.text, (column) => column.notNull())
        .addColumn('message', type.text, (column) => column.notNull())
        .addColumn('changed_by', type.text, (column) => column.notNull())
        .addColumn('changed_at', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('dashboard_versions_pk', ['dashboard_id', 'version'])
        .execute()
      await db.schema
        .createTable('dashboard_tags')
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('tag', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('dashboard_tags_pk', ['tag', 'dashboard_id'])
        .execute()
      await db.schema.createIndex('dashboard_tags_by_dashboard').on('dashboard_tags').column('dashboard_id').execute()
      await db.schema
        .createTable('dashboard_grants')
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('grantee', type.text, (column) => column.notNull())
        .addColumn('permission', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('dashboard_grants_pk', ['dashboard_id', 'kind', 'grantee'])
        .execute()
      await db.schema
        .createIndex('dashboard_grants_by_grantee')
        .on('dashboard_grants')
        .columns(['grantee', 'kind', 'dashboard_id'])
        .execute()
      await db.schema
        .createTable('dashboard_favourites')
        .addColumn('user_id', type.text, (column) => column.notNull())
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addPrimaryKeyConstraint('dashboard_favourites_pk', ['user_id', 'dashboard_id'])
        .execute()
      await db.schema
        .createIndex('dashboard_favourites_by_dashboard')
        .on('dashboard_favourites')
        .column('dashboard_id')
        .execute()
      await db.schema
        .createTable('dashboard_uses')
        .addColumn('dashboard_id', type.text, (column) =>
          column.notNull().references('dashboards.id').onDelete('cascade')
        )
        .addColumn('resource_type', type.text, (column) => column.notNull())
        .addColumn('resource_id', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('dashboard_uses_pk', ['dashboard_id', 'resource_type', 'resource_id'])
        .execute()
      await db.schema
        .createIndex('dashboard_uses_by_resource')
        .on('dashboard_uses')
        .columns(['resource_type', 'resource_id', 'dashboard_id'])
        .execute()
    }
  },
  ...shareMigrations,
  ...annotationMigrations
]
