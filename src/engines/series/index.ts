export { SeriesError, type SeriesErrorCode } from './errors.ts'
export { openSeries } from './open.ts'
export {
  type AnswerFormat,
  FILLS,
  FUNCTIONS,
  type Query,
  type SeriesFunction
} from './query/plan.ts'

import type { ScrubStep } from '../scrub-state.ts'
import type { Query, QueryAnswer } from './query/plan.ts'

/**
 * Points in time of named tags, grouped by source. A write that was answered is durable, and seen by every query that
 * starts afterwards. Of two points of one tag at the same nanosecond the one written last replaces the other. All
 * errors are `SeriesError`s. Nothing of this runs on the event loop of the caller.
 */
export interface Series {
  readonly kind: 'duckdb' | 'clickhouse'
  /**
   * Writes the good points even though others are bad; the answer counts both. The engine takes over the body. A
   * large one is written in parts: where it is refused for lack of room, some parts may have been written.
   */
  write(request: WriteRequest): Promise<Written>
  /** What `write` would answer now, as far as that is known without writing. Neither points nor tags are kept. */
  judge(request: WriteRequest): Promise<Written>
  /** Throws refusals before the first byte. Ending the iteration early, or the signal, stops the work. */
  query(query: Query, signal?: AbortSignal): Promise<QueryAnswer>
  /** The tags, in the order of their names' UTF-8 bytes. */
  tags(sourceId: string, page: TagPage): Promise<TagList>
  /** The figures of sources that have points; they are updated with each write, so asking is cheap. */
  stats(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceStats>>
  /** Removes a source with all its points and frees the space. Does nothing for an unknown source. */
  drop(sourceId: string): Promise<void>
  /**
   * Deletes a tag with its points and its type; the next point of that name makes a new tag. A concurrent write
   * counts as wholly before the deletion, and loses its points of the tag, or wholly after it. False where there is
   * no such tag.
   */
  dropTag(sourceId: string, tag: string): Promise<boolean>
  /** Frees the space of a deleted tag, also of points that concurrent writes have left. */
  sweepTag(sourceId: string, tag: string): Promise<void>
  /** From now on the source has no points before this time; their space is freed in whole days. */
  retain(sourceId: string, fromMs: number): Promise<void>
  /** A source, or some of its tags, as files that SQL can read. The caller has to release them. */
  export(sourceId: string, tags: readonly string[] | undefined): Promise<ExportedSeries>
  /** Compares files of about so many bytes with their checksums; goes on where the last call ended. */
  scrub(maxBytes: number, nowMs: number): Promise<ScrubStep>
  /** Rejects with the reason where writes or queries are not possible now. */
  check(): Promise<void>
  close(): Promise<void>
}

export const TAG_TYPES = ['float', 'integer', 'unsigned', 'boolean', 'string'] as const
export type TagType = (typeof TAG_TYPES)[number]

export const QUALITIES = ['good', 'uncertain', 'bad'] as const
export type Quality = (typeof QUALITIES)[number]

export const PRECISIONS = ['ns', 'us', 'ms', 's', 'm', 'h'] as const
export type Precision = (typeof PRECISIONS)[number]

export const FORMATS = ['line', 'json', 'ndjson'] as const
export type WriteFormat = (typeof FORMATS)[number]

export interface WriteRequest {
  readonly sourceId: string
  readonly format: WriteFormat
  /** The unit of times that are plain numbers. */
  readonly precision: Precision
  readonly body: Uint8Array<ArrayBuffer>
  /** Who writes; the source unless given. Holders take turns, so that nobody waits long because another writes much. */
  readonly holder?: string | undefined
  /** The time of points that carry none. */
  readonly nowMs: number
  /** How many of the refusals are listed; `MAX_LINE_ERRORS` unless given. */
  readonly maxErrors?: number
}

export interface Written {
  readonly accepted: number
  readonly rejected: number
  /** The first of the rejected points, by line. */
  readonly errors: readonly LineError[]
}

export const MAX_LINE_ERRORS = 100

export interface LineError {
  /** Counted from 1; in an array of JSON points, the point's place. */
  readonly line: number
  readonly code: LineErrorCode
  readonly message: string
}

export const LINE_ERROR_CODES = [
  'invalid_line',
  'invalid_name',
  'invalid_field',
  'invalid_time',
  'time_out_of_range',
  'value_out_of_range',
  'type_conflict',
  'name_too_long',
  'value_too_long',
  'invalid_text',
  'invalid_point',
  'too_many_tags'
] as const
export type LineErrorCode = (typeof LINE_ERROR_CODES)[number]

export interface TagPage {
  /** Only names that contain this, ignoring case. */
  readonly q?: string | undefined
  /** Only names that come after this one. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface TagList {
  readonly tags: readonly Tag[]
  readonly total: number
}

export interface Tag {
  readonly name: string
  readonly type: TagType
  readonly labels: Readonly<Record<string, string>>
  /** Nanoseconds of the oldest and the newest point. */
  readonly firstNs: bigint
  readonly lastNs: bigint
  readonly lastValue: PointValue
  /** A point that replaces another may be counted until the two have been merged. */
  readonly pointCount: number
}

/** Whole numbers beyond what a double holds are bigints. */
export type PointValue = number | bigint | boolean | string

export interface SourceStats {
  readonly tagCount: number
  readonly pointCount: number
  readonly firstNs: bigint
  readonly lastNs: bigint
}

/**
 * Columns `tag` (text), `time` (timestamp in nanoseconds), `value` (double; true is 1; null for texts), `text` (texts, and
 * the digits of whole numbers that a double can't hold; null for all else) and `quality` (0 good, 1 uncertain, 2 bad). A
 * file where all points are alike in this lacks `text` or `quality`. No point is in two of the files.
 */
export interface ExportedSeries {
  /** Parquet files, absolute, all in `folders`. */
  readonly files: readonly string[]
  readonly folders: readonly string[]
  release(): Promise<void>
}
