import { type Kysely, sql } from 'kysely'
import type { Kind } from '../../engines/detectors/index.ts'
import type { Role } from '../../engines/identity/index.ts'
import { hasRows, type Migration, type Tables } from '../../engines/metadata/index.ts'
import type { Stamps } from '../../http/rows.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    classification_levels: LevelRow
    classification_resources: ResourceRow
    classification_kinds: KindRow
    classification_scans: ScanRow
    classification_suggestions: SuggestionRow
    classification_inherited: InheritedRow
    classification_marks: MarkRow
    classification_clearances: ClearanceRow
  }
}

/** What those see of data whose level is above their clearance: masks in place of values, or nothing. */
export type WithoutClearance = 'mask' | 'refuse'

export interface LevelRow extends Stamps {
  id: string
  name: string
  /** The higher, the stricter. */
  rank: number
  description: string
  without_clearance: WithoutClearance
}

/** The strictest level that a role may see. A role without a row sees nothing that has a level. */
export interface ClearanceRow extends Stamps {
  role: Role
  /** Name of the level; null: whatever level data have. */
  level: string | null
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

/** What is suggested for a kind of data that detectors find. */
export interface KindRow extends Stamps {
  kind: Kind
  /** Name of the level. */
  level: string
  enabled: number
}

/** The last look at a resource. */
export interface ScanRow extends Stamps {
  id: string
  resource: string
  cause: 'hand' | 'upload' | 'schedule'
  rows_read: number
  columns_read: number
  columns_left_out: number
  /** Null where the look succeeded. */
  error_code: string | null
  error_message: string | null
}

export interface SuggestionRow extends Stamps {
  id: string
  resource: string
  column_name: string
  /** The words of the column's name: what is decided for one column is heeded for others of the same words. */
  column_words: string
  kind: Kind
  level: string
  /** In thousandths. */
  confidence: number
  /** JSON of `Evidence`. */
  evidence: string
  status: 'open' | 'accepted' | 'rejected'
  decided_by: string | null
  decided_at: string | null
  note: string
}

/** A level that data has because of where it comes from. */
export interface InheritedRow {
  /** Of the three that follow. */
  key: string
  /** The key of a node of the lineage. */
  node: string
  /** Empty for all of the data. */
  column_name: string
  /** 1 where it came along names that have data in common: from there it goes to no further such names. */
  is_part: 0 | 1
  /** The reference of the node. */
  resource: string
  /** 1 for the one that counts; the other is there for names that have data in common. */
  is_shown: 0 | 1
  level: string
  /** The label that it comes from, and what that is given to. */
  label: string
  from_resource: string
  from_column: string
  /** Steps on the way. */
  distance: number
  /** JSON array of `Step`, from the label to here. */
  path: string
}

/** Something has changed that inherited levels have not followed yet. It has no key: whoever marks waits for nobody. */
export interface MarkRow {
  /**
   * `into`: the lineage was told of something that comes into a node. `node`: the levels of one may be others. `label`: that of a
   * resource. `ranks`: the order of levels, for the nodes after one. `labels`: all labels, from a resource on.
   */
  kind: 'into' | 'node' | 'label' | 'ranks' | 'labels'
  subject: string
  /** How many marks led to it, one by one: those of one change are dealt with in this order. */
  round: number
  /** When the change was first seen; null before. */
  noticed_ms: number | null
}

/** Levels that kinds of data begin with; where there is none of that name any more, it is the strictest. */
const KIND_LEVELS: Readonly<Record<Kind, string>> = {
  email: 'confidential',
  phone: 'confidential',
  'payment-card': 'restricted',
  iban: 'restricted',
  'national-id': 'restricted',
  'person-name': 'confidential',
  'postal-address': 'confidential',
  'birth-date': 'confidential',
  'ip-address': 'internal',
  'mac-address': 'internal',
  coordinates: 'confidential',
  secret: 'restricted'
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
      await (db as unknown as Kysely<TablesAtFirst>).insertInto('classification_levels').values(levels).execute()
    }
  },
  {
    id: 'classification/002-suggestions',
    async up(db, type) {
      await db.schema
        .createTable('classification_kinds')
        .addColumn('kind', type.text, (column) => column.primaryKey())
        .addColumn('level', type.text, (column) => column.notNull().references('classification_levels.name'))
        .addColumn('enabled', type.integer, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('classification_scans')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('resource', type.text, (column) => column.notNull().unique())
        .addColumn('cause', type.text, (column) => column.notNull())
        .addColumn('rows_read', type.integer, (column) => column.notNull())
        .addColumn('columns_read', type.integer, (column) => column.notNull())
        .addColumn('columns_left_out', type.integer, (column) => column.notNull())
        .addColumn('error_code', type.text)
        .addColumn('error_message', type.text)
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('classification_suggestions')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('resource', type.text, (column) => column.notNull())
        .addColumn('column_name', type.text, (column) => column.notNull())
        .addColumn('column_words', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('level', type.text, (column) => column.notNull())
        .addColumn('confidence', type.integer, (column) => column.notNull())
        .addColumn('evidence', type.text, (column) => column.notNull())
        .addColumn('status', type.text, (column) => column.notNull())
        .addColumn('decided_by', type.text)
        .addColumn('decided_at', type.text)
        .addColumn('note', type.text, (column) => column.notNull())
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .addUniqueConstraint('classification_suggestions_what', ['resource', 'column_name', 'kind'])
        .execute()
      await db.schema
        .createIndex('classification_suggestions_status')
        .on('classification_suggestions')
        .columns(['status', 'resource', 'kind'])
        .execute()
      await db.schema
        .createIndex('classification_suggestions_words')
        .on('classification_suggestions')
        .columns(['column_words', 'kind', 'status'])
        .execute()
      await db.schema
        .createIndex('classification_scans_errors')
        .on('classification_scans')
        .columns(['error_code', 'updated_at'])
        .execute()
      await addKinds(db as unknown as Kysely<Tables>)
    }
  },
  {
    id: 'classification/003-clearance',
    async up(db, type) {
      await db.schema
        .alterTable('classification_levels')
        .addColumn('without_clearance', type.text, (column) => column.notNull().defaultTo('mask'))
        .execute()
      await db.schema
        .createTable('classification_clearances')
        .addColumn('role', type.text, (column) => column.primaryKey())
        .addColumn('level', type.text, (column) => column.references('classification_levels.name'))
        .addColumn('version', type.integer, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .execute()
      await addClearances(db as unknown as Kysely<Tables>)
    }
  },
  {
    id: 'classification/004-inherited',
    async up(db, type) {
      await db.schema
        .createTable('classification_inherited')
        .addColumn('key', type.text, (column) => column.primaryKey())
        .addColumn('node', type.text, (column) => column.notNull())
        .addColumn('column_name', type.text, (column) => column.notNull())
        .addColumn('is_part', type.integer, (column) => column.notNull())
        .addColumn('resource', type.text, (column) => column.notNull())
        .addColumn('is_shown', type.integer, (column) => column.notNull())
        .addColumn('level', type.text, (column) => column.notNull())
        .addColumn('label', type.text, (column) => column.notNull())
        .addColumn('from_resource', type.text, (column) => column.notNull())
        .addColumn('from_column', type.text, (column) => column.notNull())
        .addColumn('distance', type.integer, (column) => column.notNull())
        .addColumn('path', type.text, (column) => column.notNull())
        .execute()
      for (const first of ['node', 'resource', 'level', 'from_resource'] as const) {
        await db.schema
          .createIndex(`classification_inherited_${first}`)
          .on('classification_inherited')
          .columns([first, ...(first === 'node' || first === 'resource' ? [] : ['resource']), 'key'])
          .execute()
      }
      await db.schema
        .createTable('classification_marks')
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('subject', type.text, (column) => column.notNull())
        .addColumn('round', type.integer, (column) => column.notNull())
        .addColumn('noticed_ms', type.integer)
        .execute()
      await db.schema
        .createIndex('classification_marks_order')
        .on('classification_marks')
        .columns(['noticed_ms', 'round', 'kind', 'subject'])
        .execute()
      await db.schema
        .createIndex('classification_marks_subject')
        .on('classification_marks')
        .columns(['subject', 'kind'])
        .execute()
      // What was labelled before is gone through once.
      const known = db as unknown as Kysely<Tables>
      if (!(await hasRows(known.selectFrom('classification_resources')))) return
      await known
        .insertInto('classification_marks')
        .values({ kind: 'labels', subject: '', round: 0, noticed_ms: null })
        .execute()
    }
  },
  {
    id: 'classification/005-first-marks',
    async up(db) {
      // What is done first is found among any number of marks of the lineage.
      await db.schema
        .createIndex('classification_marks_first')
        .on('classification_marks')
        .columns(['noticed_ms', 'round', 'kind', 'subject'])
        .where(sql<boolean>`kind <> 'into'`)
        .execute()
    }
  }
]

/** Levels before there were clearances. */
type TablesAtFirst = Omit<Tables, 'classification_levels'> & {
  classification_levels: Omit<LevelRow, 'without_clearance'>
}

/** From this rank on, data are refused rather than masked, until somebody says otherwise. */
const REFUSED_FROM = 40
/** Ranks of what is internal and confidential, unless an administrator has changed that. */
const CLEARANCE_RANKS: Readonly<Record<Exclude<Role, 'admin'>, number>> = { viewer: 20, editor: 30 }

async function addClearances(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('classification_levels')
    .set({ without_clearance: 'refuse' })
    .where('rank', '>=', REFUSED_FROM)
    .execute()
  const levels = await db.selectFrom('classification_levels').select(['name', 'rank']).orderBy('rank', 'desc').execute()
  const now = new Date().toISOString()
  const stamps = { version: 1, created_at: now, updated_at: now }
  const rows: ClearanceRow[] = [{ role: 'admin', level: null, ...stamps }]
  for (const [role, rank] of Object.entries(CLEARANCE_RANKS) as [Role, number][]) {
    const level = levels.find((one) => Number(one.rank) <= rank)
    // Where all levels are stricter, the role sees nothing that has one.
    if (level !== undefined) rows.push({ role, level: level.name, ...stamps })
  }
  await db.insertInto('classification_clearances').values(rows).execute()
}

async function addKinds(db: Kysely<Tables>): Promise<void> {
  const levels = await db.selectFrom('classification_levels').select('name').orderBy('rank', 'desc').execute()
  const names = levels.map(({ name }) => name)
  // An administrator may have removed all levels: then there is nothing to suggest until there are kinds again.
  const strictest = names[0]
  if (strictest === undefined) return
  const now = new Date().toISOString()
  const kinds = Object.entries(KIND_LEVELS) as [Kind, string][]
  const rows = kinds.map(([kind, level]) => ({
    kind,
    level: names.includes(level) ? level : strictest,
    enabled: 1,
    version: 1,
    created_at: now,
    updated_at: now
  }))
  await db.insertInto('classification_kinds').values(rows).execute()
}
