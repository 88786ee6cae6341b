import type { Kysely } from 'kysely'
import type { Migration, Tables } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    classification_levels: LevelRow
    classification_resources: ResourceRow
  }
}

export interface LevelRow extends Stamps {
  id: string
  name: string
  /** The higher, the stricter. */
  rank: number
  description: string
}

export interface ResourceRow extends Stamps {
  id: string
  /** A data reference, or `<type>:<id>` for anything else. */
  resource: string
  /** Name of the level. */
  level: string
  /** JSON array of column names, in order; `[]` stands for the whole resource. */
  columns: string
  reason: string
  created_by: string
}

const DEFAULT_LEVELS = [
  ['public', 10, 'May be shown to anyone.'],
  ['internal', 20, 'For everyone in the organisation.'],
  ['confidential', 30, 'For those who need it for their work.'],
  ['restricted', 40, 'For named persons only; disclosure does serious harm.']
] as const

export const classificationMigrations: readonly Migration[] = [
  {
    id: 'classification/001-classification',
    async up(db, type) {
      await db.schema
        .createTable('classification_levels')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('name', type.text, (column) => column.notNull().unique())
        .addColumn('rank', type.integer, (column) => column.notNull().unique())
        .addColumn('description', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('classification_resources')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('resource', type.text, (column) => column.notNull())
        .addColumn('level', type.text, (column) => column.notNull().references('classification_levels.name'))
        .addColumn('columns', type.text, (column) => column.notNull())
        .addColumn('reason', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .addUniqueConstraint('classification_resources_what', ['resource', 'columns'])
        .execute()
      await db.schema
        .createIndex('classification_resources_level')
        .on('classification_resources')
        .columns(['level', 'id'])
        .execute()
      const now = new Date().toISOString()
      const levels = DEFAULT_LEVELS.map(([name, rank, description]) => ({
        id: `lvl_${name}`,
        name,
        rank,
        description,
        version: 1,
        created_at: now,
        updated_at: now
      }))
      await (db as unknown as Kysely<Tables>).insertInto('classification_levels').values(levels).execute()
    }
  }
]
