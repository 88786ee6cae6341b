import type { ClickhouseServer } from './server.ts'
import type { ClickhouseSettings } from './settings.ts'
import { PERIOD_OF_TIME } from './times.ts'

interface Table {
  readonly name: string
  readonly columns: string
  readonly engine: string
  /** The argument of the table engine. */
  readonly version?: string
  readonly partition?: string
  readonly order: string
}

export const POINT_COLUMNS = 'source, generation, tag, time, value, text, quality, type, version'
export const LABEL_COLUMNS = 'source, generation, tag, labels, version'
export const DELETION_COLUMNS = 'source, generation, tag, version'
export const CUTOFF_COLUMNS = 'source, generation, from_time, version'

/**
 * Of `points` with the same tag and time the one of the highest version counts. A source that is dropped goes on with
 * a new generation, so that leftover rows of the old one are ignored; a tag that is deleted goes on under a new key
 * (see `tag-keys.ts`). The columns `tag` hold such keys, except in `deleted_tags`. `tag_stats` is fed by a
 * materialized view as points come in. Texts and times are plain types, since Debian's ClickHouse has no
 * `DateTime64`.
 */
const TABLES: readonly Table[] = [
  {
    name: 'points',
    columns: `source String, generation UInt64, tag String, time Int64, value Float64, text String, quality UInt8,
      type UInt8, version UInt64`,
    engine: 'ReplacingMergeTree',
    version: 'version',
    // By month rather than by day: a late batch may touch many periods, and each makes a file of its own.
    partition: PERIOD_OF_TIME,
    order: 'source, generation, tag, time'
  },
  {
    name: 'tag_stats',
    columns: `source String, generation UInt64, tag String, period Int64,
      tag_type AggregateFunction(argMin, UInt8, UInt64), point_count AggregateFunction(count),
      first_time AggregateFunction(min, Int64), last_time AggregateFunction(max, Int64),
      last_value AggregateFunction(argMax, Tuple(Float64, String), Tuple(Int64, UInt64)),
      last_version AggregateFunction(max, UInt64)`,
    engine: 'AggregatingMergeTree',
    order: 'source, generation, tag, period'
  },
  {
    name: 'labels',
    columns: 'source String, generation UInt64, tag String, labels String, version UInt64',
    engine: 'ReplacingMergeTree',
    version: 'version',
    order: 'source, generation, tag'
  },
  {
    name: 'cutoffs',
    columns: 'source String, generation UInt64, from_time Int64, version UInt64',
    engine: 'ReplacingMergeTree',
    version: 'version',
    order: 'source'
  },
  {
    name: 'deleted_tags',
    columns: 'source String, generation UInt64, tag String, version UInt64',
    engine: 'MergeTree',
    order: 'source, generation, tag, version'
  }
]

/** The table that holds the rows: in a cluster the table of the plain name only distributes them. */
export function storedTable({ database, cluster }: ClickhouseSettings, name: string): string {
  return `${database}.${cluster === undefined ? name : `${name}_local`}`
}

/** The clause after a table's name that makes a statement run on all servers. */
export function onCluster({ cluster }: ClickhouseSettings): string {
  return cluster === undefined ? '' : ` ON CLUSTER ${cluster}`
}

/** Makes missing tables. */
export async function prepareTables(server: ClickhouseServer): Promise<void> {
  const { settings } = server
  await server.run(`CREATE DATABASE IF NOT EXISTS ${settings.database}${onCluster(settings)}`)
  for (const table of TABLES) {
    await server.run(storedDefinition(settings, table))
    if (settings.cluster !== undefined) await server.run(distributedDefinition(settings, settings.cluster, table))
  }
  await server.run(viewDefinition(settings))
}

function storedDefinition(settings: ClickhouseSettings, table: Table): string {
  const { name, columns, engine, version, partition, order } = table
  const place = [`'/clickhouse/tables/{shard}/${settings.database}/${name}'`, `'{replica}'`]
  const facts = [...(settings.isReplicated ? place : []), ...(version === undefined ? [] : [version])].join(', ')
  return `CREATE TABLE IF NOT EXISTS ${storedTable(settings, name)}${onCluster(settings)} (${columns})
    ENGINE = ${settings.isReplicated ? 'Replicated' : ''}${engine}(${facts})
    ${partition === undefined ? '' : `PARTITION BY ${partition}`} ORDER BY (${order})`
}

/**
 * A tag's points are on one shard, where duplicates are found; the cutoff of a source is on the shard of the source.
 */
function distributedDefinition(settings: ClickhouseSettings, cluster: string, { name, columns }: Table): string {
  const key = name === 'cutoffs' || name === 'deleted_tags' ? 'source' : 'source, tag'
  return `CREATE TABLE IF NOT EXISTS ${settings.database}.${name}${onCluster(settings)} (${columns})
    ENGINE = Distributed(${cluster}, ${settings.database}, ${name}_local, sipHash64(${key}))`
}

function viewDefinition(settings: ClickhouseSettings): string {
  return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${settings.database}.tag_stats_view${onCluster(settings)}
    TO ${storedTable(settings, 'tag_stats')} AS
    SELECT source, generation, tag, ${PERIOD_OF_TIME} AS period, argMinState(type, version) AS tag_type,
      countState() AS point_count, minState(time) AS first_time, maxState(time) AS last_time,
      argMaxState((value, text), (time, version)) AS last_value, maxState(version) AS last_version
    FROM ${storedTable(settings, 'points')} GROUP BY source, generation, tag, period`
}
