import type { Clock } from '../clock.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Place } from '../places/index.ts'
import {
  type ChangesChunk,
  type ChangesRead,
  SQL_TYPES,
  type SqlChanges,
  type SqlChunk,
  type SqlCondition,
  type SqlReaders,
  type SqlType,
  type SqlValue
} from '../sql/index.ts'
import type { SourceFacts } from './catalogue/facts.ts'
import type { KeptSecrets } from './kept-secrets.ts'
import type { JsonSchema } from './schema.ts'

export { AUTHENTICATIONS, CATEGORIES, type Category, type SourceFacts } from './catalogue/facts.ts'
export { runSteps } from './check.ts'
export type { Entry } from './declared/entry.ts'
export { SourceError } from './errors.ts'
export type { KeptSecrets } from './kept-secrets.ts'
export { findSource, knownSource, sources } from './known-source.ts'
export { driverOf } from './loaders.ts'
export type { JsonSchema } from './schema.ts'

/** A configuration that fits the schema of its source. */
export type SourceConfig = Readonly<Record<string, unknown>>

/** The code behind one or several sources. */
export interface Driver {
  /** The configuration as JSON Schema (draft 2020-12), with the defaults of a source; what is secret is `writeOnly`. */
  schemaFor(source: SourceFacts): JsonSchema
  /** Where each secret of a configuration is sent to: another place must not get it. */
  placesOf(config: SourceConfig, source: SourceFacts): Readonly<Record<string, Place>>
  /** Opens a source; does not connect yet. */
  open(config: SourceConfig, source: SourceFacts, needs: DriverNeeds): Promise<OpenSource>
}

export interface DriverNeeds {
  readonly outbound: Outbound
  /** Where packages lie that drivers need and that are not shipped, see `packages.ts`. */
  readonly packagesFolder: string
  /** That of the system unless given. */
  readonly clock?: Clock
  /** Those of the configuration; not there where it is only tried out. */
  readonly secrets?: KeptSecrets
}

/** A system of somebody else, to read from. Errors are `SourceError`s, or the reason of the signal. */
export interface OpenSource {
  /** What a test tries, in this order; each stands on those before it. */
  readonly steps: readonly Step[]
  /** What can be read, by name; the first `limit` where there is more. */
  discover(request: { readonly limit: number; readonly signal: AbortSignal }): Promise<Discovered>
  /** Whether `read` can leave out exactly what a condition on a column of this type does not hold for, or at least some of it. */
  narrows?(condition: StreamCondition, type: ColumnType, stream: string): 'exactly' | 'roughly' | undefined
  /** What is in a stream, in chunks with bounded memory. Ending the iteration or the signal ends it there too. */
  read(request: StreamRead): AsyncIterable<StreamChunk>
  /** Every change of a stream, as `engines/sql` has it; not there where the source has no log that can be read. */
  changes?(request: StreamChangesRead): StreamChanges
  /** For whom the source keeps changes; not there where it keeps them by rules of its own. */
  readonly readers?: SqlReaders
  /** Ends whatever is under way. */
  close(): Promise<void>
}

export interface Step {
  readonly name: StepName
  /** Answers what was found, in words; throws a `SourceError`. */
  run(signal: AbortSignal): Promise<string>
}

export const STEP_NAMES = ['driver', 'resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'] as const
export type StepName = (typeof STEP_NAMES)[number]

export interface Discovered {
  readonly streams: readonly Stream[]
  /** Whether there are no more. */
  readonly isWhole: boolean
}

/** What a stream is where it comes from: `points` are current values of a machine. */
export const STREAM_KINDS = ['table', 'view', 'messages', 'keys', 'files', 'series', 'points'] as const
export type StreamKind = (typeof STREAM_KINDS)[number]

export interface Stream {
  readonly name: string
  readonly kind: StreamKind
  /** Whether it may be read, as far as the system tells. */
  readonly isReadable: boolean
  readonly columns: readonly StreamColumn[]
  /** The columns that identify a record; none where nothing is known. */
  readonly keys: readonly string[]
  /** The columns that reading can go on by. */
  readonly cursors: readonly string[]
  /** Why it can't be read, or why its columns could not be seen now; those that were seen before are as good then. */
  readonly note?: string
}

export interface StreamColumn {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}

/** As `engines/sql` has them, which says what their values are. */
export const COLUMN_TYPES = SQL_TYPES
export type ColumnType = SqlType

export interface StreamRead {
  readonly stream: string
  /** Only records whose column is greater than `after` (null: all that have one), in the order of that column. */
  readonly cursor?: { readonly column: string; readonly after: string | null }
  readonly limit?: number
  /** Only these columns; a source that can't leave out others gives them as well. */
  readonly columns?: readonly string[]
  /** The columns as they were discovered; a source whose records have none of their own gives these, in this order. */
  readonly known?: readonly StreamColumn[] | undefined
  /** Only records for which all of these hold; given only where `narrows` says so. */
  readonly where?: readonly StreamCondition[]
  /** Told, in words, what was left out of what was read. */
  note?(message: string): void
  readonly signal: AbortSignal
}

export type StreamCondition = SqlCondition

/** As `engines/sql` has them. `position` is what to give as `after` for what comes next; undefined without a cursor. */
export type StreamChunk = SqlChunk

export type StreamValue = SqlValue

export interface StreamChangesRead extends Omit<ChangesRead, 'table'> {
  readonly stream: string
}

export type StreamChanges = SqlChanges
export type StreamChangesChunk = ChangesChunk

/** The fields of a configuration that are secret. */
export function secretFields(schema: JsonSchema): string[] {
  return Object.entries(schema.properties).flatMap(([name, { writeOnly }]) => (writeOnly === true ? [name] : []))
}
