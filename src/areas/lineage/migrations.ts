import { type Kysely, sql } from 'kysely'
import type { Migration, Tables } from '../../engines/metadata/index.ts'
import { toAbsences } from './nodes/to-absences.ts'
import type { NodeKind } from './references.ts'
import type { MappingKind, Provenance, RunState } from './sighting.ts'

declare module '../../engines/metadata/index.ts' {
  interface Tables {
    lineage_nodes: NodeRow
    lineage_jobs: JobRow
    lineage_runs: RunRow
    lineage_bases: BaseRow
    lineage_statements: StatementRow
    lineage_edges: EdgeRow
    lineage_mappings: MappingRow
    lineage_links: LinkRow
  }
}

type How = Provenance['how']

export interface NodeRow {
  /** See `nodeKey`. */
  key: string
  reference: string
  kind: NodeKind
  /** For people. */
  name: string
  /** 1 where it may name many data: see `namesMany`. */
  is_pattern: 0 | 1
  /** JSON; what was told of it, each with the time of the telling. */
  facts: string
}

/** A job as one kind of telling knows it. */
export interface JobRow {
  /** Key of its node. */
  job: string
  how: How
  /** Who told of it last. */
  who: string
  /** The newest run and its start; empty and 0 before the first. */
  newest_run: string
  newest_ms: number
  /** Runs in all, and those that said everything they read and write. */
  runs: number
  whole_runs: number
  /** The start of the newest of those. */
  whole_ms: number | null
  /** The statement of all that holds now. */
  open: string
  /** The last time that something ended. */
  closed_ms: number
  /** Periods that begin earlier are no longer worked out from runs, because those may be gone. */
  base_ms: number
}

export interface RunRow {
  job: string
  how: How
  id: string
  start_ms: number
  whole_ms: number | null
  state: RunState
  /** When it got that state. */
  state_ms: number
  /** What it failed at, as was told with the state. */
  error: string | null
  statement: string
  /** Reference of the job, and the run, that started it. */
  parent_job: string | null
  parent_run: string | null
}

/** What follows from the runs of a job that are no longer kept; see `Base`. */
export interface BaseRow {
  job: string
  how: How
  runs: number
  whole_runs: number
  whole_ms: number | null
  /** JSON array of `[fact, startedMs, endedMs, seenMs, runs]`. */
  facts: string
}

/** What a run says; the many runs that say the same share it. */
export interface StatementRow {
  job: string
  hash: string
  facts: string
}

/** A period of an edge as one kind of telling knows it. */
export interface EdgeRow {
  from_node: string
  to_node: string
  how: How
  started_ms: number
  ended_ms: number | null
  /** The job that reads or writes; empty for edges between data. */
  job: string
  type: EdgeType
  /** Known when it has ended; while it lasts, it follows from the job. */
  seen_ms: number | null
  /** Whole runs that named it; while it lasts, those of the job that did not. */
  runs: number
  /** Who says so, where there is no job that knows it. */
  who: string | null
}

/**
 * `links`: by hand, from data to data. `same`: two names of the same data. `renamed`: what it was called before.
 * `overlaps`: one names some of what the other does.
 */
export type EdgeType = 'reads' | 'writes' | 'links' | 'same' | 'renamed' | 'overlaps'

/** A period in which a column had to do with another. */
export interface MappingRow {
  job: string
  how: How
  from_node: string
  from_column: string
  to_node: string
  to_column: string
  kind: MappingKind
  started_ms: number
  ended_ms: number | null
  seen_ms: number | null
  runs: number
  who: string | null
}

/** An edge that a person has drawn. */
export interface LinkRow {
  id: string
  from_node: string
  to_node: string
  note: string
  /** JSON array of column mappings. */
  columns: string
  created_by: string
  created_at: string
  updated_at: string
  ended_at: string | null
  version: number
}

export const lineageMigrations: readonly Migration[] = [
  {
    id: 'lineage/001-graph',
    async up(db, type) {
      await db.schema
        .createTable('lineage_nodes')
        .addColumn('key', type.text, (column) => column.primaryKey())
        .addColumn('reference', type.text, (column) => column.notNull().unique())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('name', type.text, (column) => column.notNull())
        .addColumn('is_pattern', type.integer, (column) => column.notNull())
        .addColumn('facts', type.text, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('lineage_nodes_kind').on('lineage_nodes').columns(['kind', 'reference']).execute()
      await db.schema
        .createIndex('lineage_nodes_pattern')
        .on('lineage_nodes')
        .columns(['kind', 'is_pattern', 'reference'])
        .execute()
      await db.schema.createIndex('lineage_nodes_name').on('lineage_nodes').columns(['name', 'reference']).execute()
      await db.schema
        .createTable('lineage_jobs')
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('how', type.text, (column) => column.notNull())
        .addColumn('who', type.text, (column) => column.notNull())
        .addColumn('newest_run', type.text, (column) => column.notNull())
        .addColumn('newest_ms', type.integer, (column) => column.notNull())
        .addColumn('runs', type.integer, (column) => column.notNull())
        .addColumn('whole_runs', type.integer, (column) => column.notNull())
        .addColumn('whole_ms', type.integer)
        .addColumn('open', type.text, (column) => column.notNull())
        .addColumn('closed_ms', type.integer, (column) => column.notNull())
        .addColumn('base_ms', type.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('lineage_jobs_key', ['job', 'how'])
        .execute()
      await db.schema
        .createTable('lineage_runs')
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('how', type.text, (column) => column.notNull())
        .addColumn('id', type.text, (column) => column.notNull())
        .addColumn('start_ms', type.integer, (column) => column.notNull())
        .addColumn('whole_ms', type.integer)
        .addColumn('state', type.text, (column) => column.notNull())
        .addColumn('state_ms', type.integer, (column) => column.notNull())
        .addColumn('error', type.text)
        .addColumn('statement', type.text, (column) => column.notNull())
        .addColumn('parent_job', type.text)
        .addColumn('parent_run', type.text)
        .addPrimaryKeyConstraint('lineage_runs_key', ['job', 'how', 'id'])
        .execute()
      await db.schema
        .createIndex('lineage_runs_start')
        .on('lineage_runs')
        .columns(['job', 'how', 'start_ms', 'id'])
        .execute()
      await db.schema.createIndex('lineage_runs_age').on('lineage_runs').columns(['start_ms']).execute()
      await db.schema
        .createTable('lineage_bases')
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('how', type.text, (column) => column.notNull())
        .addColumn('runs', type.integer, (column) => column.notNull())
        .addColumn('whole_runs', type.integer, (column) => column.notNull())
        .addColumn('whole_ms', type.integer)
        .addColumn('facts', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('lineage_bases_key', ['job', 'how'])
        .execute()
      await db.schema
        .createTable('lineage_statements')
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('hash', type.text, (column) => column.notNull())
        .addColumn('facts', type.text, (column) => column.notNull())
        .addPrimaryKeyConstraint('lineage_statements_key', ['job', 'hash'])
        .execute()
      await db.schema
        .createTable('lineage_edges')
        .addColumn('from_node', type.text, (column) => column.notNull())
        .addColumn('to_node', type.text, (column) => column.notNull())
        .addColumn('how', type.text, (column) => column.notNull())
        .addColumn('started_ms', type.integer, (column) => column.notNull())
        .addColumn('ended_ms', type.integer)
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('type', type.text, (column) => column.notNull())
        .addColumn('seen_ms', type.integer)
        .addColumn('runs', type.integer, (column) => column.notNull())
        .addColumn('who', type.text)
        .addPrimaryKeyConstraint('lineage_edges_key', ['from_node', 'to_node', 'how', 'started_ms'])
        .execute()
      await db.schema
        .createIndex('lineage_edges_to')
        .on('lineage_edges')
        .columns(['to_node', 'from_node', 'how', 'started_ms'])
        .execute()
      await db.schema
        .createIndex('lineage_edges_started')
        .on('lineage_edges')
        .columns(['started_ms', 'from_node', 'to_node', 'how'])
        .execute()
      await db.schema
        .createIndex('lineage_edges_ended')
        .on('lineage_edges')
        .columns(['ended_ms', 'from_node', 'to_node', 'how'])
        .execute()
      await db.schema
        .createTable('lineage_mappings')
        .addColumn('job', type.text, (column) => column.notNull())
        .addColumn('how', type.text, (column) => column.notNull())
        .addColumn('from_node', type.text, (column) => column.notNull())
        .addColumn('from_column', type.text, (column) => column.notNull())
        .addColumn('to_node', type.text, (column) => column.notNull())
        .addColumn('to_column', type.text, (column) => column.notNull())
        .addColumn('kind', type.text, (column) => column.notNull())
        .addColumn('started_ms', type.integer, (column) => column.notNull())
        .addColumn('ended_ms', type.integer)
        .addColumn('seen_ms', type.integer)
        .addColumn('runs', type.integer, (column) => column.notNull())
        .addColumn('who', type.text)
        .addPrimaryKeyConstraint('lineage_mappings_key', [
          'job',
          'how',
          'from_node',
          'from_column',
          'to_node',
          'to_column',
          'kind',
          'started_ms'
        ])
        .execute()
      await db.schema
        .createIndex('lineage_mappings_from')
        .on('lineage_mappings')
        .columns(['from_node', 'from_column'])
        .execute()
      await db.schema
        .createIndex('lineage_mappings_to')
        .on('lineage_mappings')
        .columns(['to_node', 'to_column'])
        .execute()
      await db.schema
        .createIndex('lineage_mappings_started')
        .on('lineage_mappings')
        .columns(['started_ms', 'job', 'how'])
        .execute()
      await db.schema
        .createIndex('lineage_mappings_ended')
        .on('lineage_mappings')
        .columns(['ended_ms', 'job', 'how'])
        .execute()
      await db.schema
        .createTable('lineage_links')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('from_node', type.text, (column) => column.notNull())
        .addColumn('to_node', type.text, (column) => column.notNull())
        .addColumn('note', type.text, (column) => column.notNull())
        .addColumn('columns', type.text, (column) => column.notNull())
        .addColumn('created_by', type.text, (column) => column.notNull())
        .addColumn('created_at', type.text, (column) => column.notNull())
        .addColumn('updated_at', type.text, (column) => column.notNull())
        .addColumn('ended_at', type.text)
        .addColumn('version', type.integer, (column) => column.notNull())
        .execute()
      await db.schema.createIndex('lineage_links_ends').on('lineage_links').columns(['from_node', 'to_node']).execute()
      await db.schema
        .createIndex('lineage_links_one')
        .on('lineage_links')
        .columns(['from_node', 'to_node'])
        .unique()
        .where(sql.ref('ended_at'), 'is', null)
        .execute()
    }
  },
  {
    id: 'lineage/002-upstream',
    // With all that a walk reads, so that it need not go from the index to the rows: those of a node lie far apart. Who says so
    // is not in it, because that may be longer than PostgreSQL takes into an index.
    async up(db) {
      await db.schema
        .createIndex('lineage_edges_upstream')
        .on('lineage_edges')
        .columns(['to_node', 'from_node', 'how', 'started_ms', 'ended_ms', 'job', 'type', 'seen_ms', 'runs'])
        .execute()
      await db.schema.dropIndex('lineage_edges_to').execute()
    }
  },
  {
    id: 'lineage/003-absences',
    up: (db) => toAbsences(db as unknown as Kysely<Tables>)
  }
]
