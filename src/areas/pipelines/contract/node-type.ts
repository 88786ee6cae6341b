import type { OtherDialect } from '../../../engines/sql-lineage/index.ts'
import type { TSchema } from '../../../http/type.ts'
import type { Column } from '../duckdb/columns.ts'
import type { SqlPart } from '../duckdb/parse-sql.ts'
import type { GoesTo } from './secret-place.ts'
import type { DrySink, Sink, SinkContext } from './sink.ts'
import type { Source, SourceContext } from './source.ts'
import type { Steps, StepsContext } from './steps.ts'
import type { ReadSelect, WayInput, Ways } from './ways.ts'

/** A step of a pipeline as users write it. */
export interface PipelineNode {
  readonly id: string
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
  readonly inputs: readonly string[]
}

/** What every type of node says of itself: enough to check a pipeline without running it. */
interface NodeFacts<C> {
  /** The name users write in `type`. */
  readonly type: string
  /** One sentence for the list of types. */
  readonly about: string
  /** A closed object; also what `GET /pipelines/node-types` shows. */
  readonly config: TSchema
  /** What is sealed and never shown, by dotted path (`connection.password`), with where it goes: it stays no longer than that. */
  readonly secrets?: Readonly<Record<string, GoesTo<C>>>
  /** What a schema can't say. */
  check?(config: C): readonly ConfigFault[]
  /** What is not known without computing, which may take long: only asked where that is bounded, in a process of its own. */
  checkAway?(config: C): readonly ConfigFault[]
  /** The SQL in the configuration, to be parsed before anything runs. */
  sql?(config: C): readonly SqlPart[]
  /** The columns of its input that the configuration names, those in SQL aside. */
  columns?(config: C): readonly string[]
}

export interface ConfigFault {
  /** JSON pointer into the configuration: `/window`. */
  readonly pointer: string
  /** Completes "it …": `must be a duration`. */
  readonly message: string
}

export interface SourceType<C = never> extends NodeFacts<C> {
  readonly role: 'source'
  readonly inputs: { readonly min: 0; readonly max: 0 }
  /** Whether there is an end, at which the pipeline is completed. */
  isBounded(config: C): boolean
  /** Whether a run after a completed one goes on where that ended, rather than from the beginning. */
  isIncremental?(config: C): boolean
  /** The data that it reads, for lineage: none where nobody else knows them. Nothing secret is in them. */
  references(config: C): readonly string[]
  /** Whether its columns are made from these data rather than being theirs, one by one. */
  makesColumns?(config: C): boolean
  /** The statement that makes them, where there is a parser for it: the tables that it names are read too. */
  statement?(config: C): SourceStatement | undefined
  open(context: SourceContext<C>): Promise<Source>
}

/** A statement that another database runs. */
export interface SourceStatement {
  readonly sql: string
  readonly dialect: OtherDialect
  /** The data that a table is, for lineage. */
  referenceOf(table: string): string
}

/**
 * How a transform deals with records: it `maps` each to one, `filters` each or not, or `reshapes` many into others. The ledger
 * is kept by it.
 */
export type Accounting = 'maps' | 'filters' | 'reshapes'

/** A transform of each batch by itself, as a SELECT over its inputs. */
export interface SelectType<C = never> extends NodeFacts<C> {
  readonly role: 'transform'
  readonly inputs: { readonly min: number; readonly max: number }
  readonly accounting: Accounting
  select(config: C, inputs: readonly SelectInput[]): string
  /** What it makes of columns, where its SELECT does not tell all of it. */
  ways?(config: C, inputs: readonly WayInput[]): Ways
}

export interface SelectInput {
  readonly id: string
  /** What stands after FROM: a relation called `input`. */
  readonly from: string
  readonly columns: readonly Column[]
  /** What stands at the end of the list of what is selected, so that records stay known by it; empty where nobody asks. */
  readonly also: string
}

/** A transform that remembers records from one batch to the next. */
export interface StatefulType<C = never> extends NodeFacts<C> {
  readonly role: 'transform'
  readonly inputs: { readonly min: number; readonly max: number }
  readonly accounting: Accounting
  /** It looks at each record by itself, so that the order of records does not matter to it. */
  readonly isOrderFree?: true
  /** Whether it gives nothing before all its inputs have ended, so that sources without an end are refused. */
  needsEnd?(config: C): boolean
  /** What it makes of columns. */
  ways(config: C, inputs: readonly WayInput[], read: ReadSelect): Ways | Promise<Ways>
  open(context: StepsContext<C>): Promise<Steps>
}

export interface SinkType<C = never> extends NodeFacts<C> {
  readonly role: 'sink'
  readonly inputs: { readonly min: 1; readonly max: number }
  /** Whether what was written once stays once, whatever happens. */
  readonly delivery: 'exactly-once' | 'at-least-once'
  /** The data that it writes, for lineage. Nothing secret is in them. */
  references(config: C): readonly string[]
  /** Where columns go in these data. */
  ways(config: C, inputs: readonly WayInput[]): Ways
  open(context: SinkContext<C>): Promise<Sink>
  /** What is opened where nothing may be written or called: it refuses what the sink would, as far as it can tell. */
  openDry?(context: SinkContext<C>): Promise<DrySink>
}

export type NodeType = SourceType | SelectType | StatefulType | SinkType

/** Keeps a type's configuration typed where it is written, and forgets it for the registry. */
export const sourceType = <C>(type: Omit<SourceType<C>, 'role' | 'inputs'>): SourceType =>
  ({ ...type, role: 'source', inputs: { min: 0, max: 0 } }) as unknown as SourceType

export const selectType = <C>(type: Omit<SelectType<C>, 'role'>): SelectType =>
  ({ ...type, role: 'transform' }) as unknown as SelectType

export const statefulType = <C>(type: Omit<StatefulType<C>, 'role'>): StatefulType =>
  ({ ...type, role: 'transform' }) as unknown as StatefulType

export const sinkType = <C>(type: Omit<SinkType<C>, 'role' | 'inputs'>): SinkType =>
  ({ ...type, role: 'sink', inputs: { min: 1, max: 16 } }) as unknown as SinkType
