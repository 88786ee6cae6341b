import type { Kysely } from 'kysely'
import type { Migration, Tables } from '../../engines/metadata/index.ts'
import type { SchemaType } from '../../engines/schemas/index.ts'
import type { CompatibilityMode, RegistryMode, VersionState } from './schema.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    schemas: SchemaRow
    schema_versions: VersionRow
    schema_contents: ContentRow
    schema_uses: UseRow
    schema_settings: SettingsRow
  }
}

export interface SchemaRow {
  id: string
  /** What other registries call the subject. */
  name: string
  /** The type of the newest version. */
  type: SchemaType
  /** Null where the schema follows the settings of the registry. */
  compatibility: CompatibilityMode | null
  mode: RegistryMode | null
  description: string
  /** JSON array of texts. */
  tags: string
  /** The highest number given to a version; never given again. */
  last_number: number
  /** Counts every change to the schema and to its versions. */
  version: number
  created_by: string
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** A version of a schema, with the text it has. Only `state`, `metadata`, `revision` and `deleted_at` ever change. */
export interface VersionRow {
  schema_id: string
  number: number
  content_id: number
  state: VersionState
  /** JSON object. */
  metadata: string
  revision: number
  created_by: string
  created_at: string
  deleted_at: string | null
}

/** A text, once however many versions have it; its number is what Kafka messages carry. Never changes. */
export interface ContentRow {
  id: number
  type: SchemaType
  /** SHA-256 of its canonical form and of what it refers to. */
  fingerprint: string
  text: string
  /** JSON array of `{name, schemaId, version}`. */
  refers_to: string
}

/** Which content refers to which version. */
export interface UseRow {
  content_id: number
  schema_id: string
  number: number
}

/** The settings of the registry, in one row. They hold for schemas that have no setting of their own. */
export interface SettingsRow {
  id: number
  compatibility: CompatibilityMode
  mode: RegistryMode
  /** The last number given to a content. */
  last_content: number
}

export const SETTINGS_ID = 1

export const schemasMigrations: readonly Migration[] = [
  {
    id: 'schemas/001-schemas',
    async up(db, type) {
      await db.schema
        .createTable('schemas')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('compatibility', type.text)
        .addColumn('mode', type.text)
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('tags', type.text, (column) => column.notNull())
        .addColumn('last_number', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .addColumn('deleted_at', type.text)
        .execute()
      await db.schema
        .createTable('schema_contents')
        .addColumn('id', type.integer, (column) => column.primaryKey())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('fingerprint', type.text, (column) => column.notNull().unique())
        .addColumn('text', type.text, (column) => column.notNull())
        .addColumn('refers_to', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('schema_versions')
        .addColumn('schema_id', type.text, (column) => column.notNull().references('schemas.id'))
        .addColumn('number', type.integer, (column) => column.notNull())
        .addColumn('content_id', type.integer, (column) => column.notNull().references('schema_contents.id'))
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('metadata', type.text, (column) => column.notNull())
        .addColumn('revision', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('deleted_at', type.text)
        .addPrimaryKeyConstraint('schema_versions_key', ['schema_id', 'number'])
        .execute()
      await db.schema
        .createIndex('schema_versions_content')
        .on('schema_versions')
        .columns(['content_id', 'schema_id'])
        .execute()
      await db.schema
        .createTable('schema_uses')
        .addColumn('content_id', type.integer, (column) => column.notNull().references('schema_contents.id'))
        .addColumn('schema_id', type.text, (column) => column.notNull())
        .addColumn('number', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('schema_uses_key', ['schema_id', 'number', 'content_id'])
        .execute()
      await db.schema.createIndex('schema_uses_content').on('schema_uses').columns(['content_id']).execute()
      await db.schema
        .createTable('schema_settings')
        .addColumn('id', type.integer, (column) => column.primaryKey())
        .addColumn('compatibility', type.text, (column) => column.notNull())
        .addColumn('mode', type.text, (column) => column.notNull())
        .addColumn('last_content', type.integer, (column) => column.notNull())
        .execute()
      const settings = { id: SETTINGS_ID, compatibility: 'BACKWARD', mode: 'READWRITE', last_content: 0 } as const
      await (db as unknown as Kysely<Tables>).insertInto('schema_settings').values(settings).execute()
    }
  }
]
