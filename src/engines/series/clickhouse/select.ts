import { quoteAll, quoteText } from '../../clickhouse/quote.ts'
import type { BucketPlan, SeriesFunction } from '../query/plan.ts'
import { bucketSql } from './bucket-sql.ts'
import { functionSql } from './function-sql.ts'
import type { ClickhouseSettings } from './settings.ts'
import { floorDiv, int64, MAX_NS } from './times.ts'

/** The points of a source that a statement is about. */
export interface Selection {
  readonly sourceId: string
  readonly generation: bigint
  /** Undefined: all tags. */
  readonly tags: readonly string[] | undefined
  /** Not before the smallest time of 64 bits. */
  readonly fromNs: bigint
  /** A time beyond 64 bits means no end. */
  readonly toNs: bigint
  /** Whether texts are wanted: few tags have any. */
  readonly withText: boolean
}

interface QueriedTable {
  readonly from: string
  /** The names of its columns. */
  readonly value: string
  readonly text: string
  readonly quality: string
}

/** Rows: tag, bucket, count, good points, a double for each function, a text for each `first` and `last`. */
export function bucketsSql(
  settings: ClickhouseSettings,
  selection: Selection,
  plan: BucketPlan,
  functions: readonly SeriesFunction[],
  limit: number
): string {
  const { from, value, text, quality } = lastPoints(settings, selection)
  const columns = functions.map((name) => `${functionSql(name, value)} AS f_${name}`)
  const texts = selection.withText ? textFunctions(functions).map((name) => functionSql(name, text)) : []
  return `SELECT tag, toInt64(${bucketSql(plan)}) AS bucket, count() AS points, countIf(${quality} = 0) AS good,
    ${[...columns, ...texts].join(', ')}
    ${from} GROUP BY tag, bucket ORDER BY tag, bucket LIMIT ${limit}`
}

/** The functions that give a point's own value. */
export function textFunctions(functions: readonly SeriesFunction[]): SeriesFunction[] {
  return functions.filter((name) => name === 'first' || name === 'last')
}

/** Rows: tag, milliseconds, nanoseconds beyond them, value, quality and, where wanted, text. */
export function pointsSql(settings: ClickhouseSettings, selection: Selection, limit: number | undefined): string {
  const { from, value, text, quality } = lastPoints(settings, selection)
  const ms = floorDiv('time', 1_000_000n)
  return `SELECT tag, ${ms} AS ms, toUInt32(time - ms * toInt64(1000000)), ${value}, ${quality}
    ${selection.withText ? `, ${text}` : ''}
    ${from} ORDER BY tag, time ${limit === undefined ? '' : `LIMIT ${limit}`}`
}

/**
 * Each point once, in its last version. `FINAL` needs little memory and is computed on each server; for few tags on
 * one server grouping is twice as fast, since it reads fewer rows around them.
 */
function lastPoints(settings: ClickhouseSettings, selection: Selection): QueriedTable {
  const table = `${settings.database}.points`
  const where = condition(selection)
  if (settings.cluster !== undefined || selection.tags === undefined) {
    return { from: `FROM ${table} FINAL WHERE ${where}`, value: 'value', text: 'text', quality: 'quality' }
  }
  const text = selection.withText ? ', argMax(text, version) AS last_text' : ''
  const from = `FROM (SELECT tag, time, argMax(value, version) AS last_value, argMax(quality, version) AS last_quality
    ${text} FROM ${table} WHERE ${where} GROUP BY tag, time)`
  return { from, value: 'last_value', text: 'last_text', quality: 'last_quality' }
}

function condition({ sourceId, generation, tags, fromNs, toNs }: Selection): string {
  const chosen = tags === undefined ? '' : ` AND tag IN (${quoteAll(tags)})`
  const until = toNs > MAX_NS ? '' : ` AND time < ${int64(toNs)}`
  return `source = ${quoteText(sourceId)} AND generation = ${generation}${chosen} AND time >= ${int64(fromNs)}${until}`
}
