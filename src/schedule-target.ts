import type { Sighting } from './areas/lineage/index.ts'
import type { Db } from './engines/metadata/index.ts'
import type { Place } from './engines/places/index.ts'
import type { Resource } from './http/in-use.ts'
import type { Permission } from './http/permissions.ts'
import type { Outcome } from './http/route.ts'
import type { TSchema } from './http/type.ts'

/**
 * Something that schedules can have done. The area that it belongs to declares it by its name (`scheduleTargets`), and is
 * loaded when the first schedule that names it is made or is due.
 */
export interface ScheduleTarget {
  /** One sentence for those who choose. */
  readonly about: string
  /** What the owner of a schedule must be allowed to do, when it is made and whenever it runs. */
  readonly permissions: readonly Permission[]
  /** The kind of resource that the `id` of the target names; undefined where it takes none. */
  readonly resource?: Resource['type']
  /** The schema of `config`, an object. */
  readonly config: TSchema
  /** The members of `config` that are secrets: sealed, and masked for readers. */
  readonly secrets?: readonly string[]
  /** Where the secrets go: a stored one is kept only for the same place. */
  placeOf?(config: TargetConfig): Place
  /** Refuses what could never run, with a `Problem` whose pointers begin at `/target`. */
  check?(order: TargetOrder): Promise<void>
  /** What else than `id` it names, and can't run without: deleted only by those who insist. */
  uses?(order: TargetOrder): readonly Resource[]
  /** The data references that it reads: whoever orders it has to be allowed to see them. */
  reads?(order: TargetOrder): readonly string[] | Promise<readonly string[]>
  /**
   * Waits until it may run, where too many at once would ask the same of one place; answers what lets the next one in. A
   * run begins when its turn has come, and its time limit with it.
   */
  turn?(order: TargetOrder, signal: AbortSignal): Promise<() => void>
  /**
   * Whether the lineage is told of its runs: that they failed, or what they have read and written, which those that succeed
   * say in `lineage`. Those that write data that others can read say it before, with `begin`.
   */
  readonly tellsLineage?: true
  /** Runs it once. Whatever is thrown is a failure that may be tried again. */
  run(run: TargetRun): Promise<TargetResult>
  /** Of what goes on by itself: which of it has ended, by the links that `note` was given. */
  follow?(db: Db, links: readonly string[]): Promise<ReadonlyMap<string, TargetEnd>>
  /** Asks what goes on by itself to end; `follow` tells when it has. */
  cancel?(tx: Db, link: string): Promise<Outcome<unknown>>
}

export type TargetConfig = Readonly<Record<string, unknown>>

export interface TargetOrder {
  readonly id?: string | undefined
  /** With its secrets. */
  readonly config: TargetConfig
}

/** One due time of a schedule while its target is at work. */
export interface TargetRun extends TargetOrder {
  /** The same for all attempts at a due time: those who must not do it twice can know it by this. */
  readonly runId: string
  readonly scheduleId: string
  readonly scheduleName: string
  /** When it was due, as ISO 8601; not when it began. */
  readonly dueAt: string
  /** The due time before, which tells where the stretch of time that this run is about begins; null at the first. */
  readonly previousDueAt: string | null
  /** 1 for the first; one that was cut off by the end of a server is not counted. */
  readonly attempt: number
  /** What an earlier attempt noted. */
  readonly link: string | null
  readonly owner: { readonly id: string; readonly name: string }
  /** Aborts on timeout, cancellation and shutdown. */
  readonly signal: AbortSignal
  /** A line for people who look at this run; a few of them are kept. */
  log(line: string): void
  /**
   * Tells the lineage what it is about to read and write, and waits until levels of secrecy follow: for targets that tell of
   * it, before anybody can read what they write. Where levels do not follow in time it throws, and the attempt has failed.
   */
  begin(lineage: TargetLineage): Promise<void>
  /**
   * Commits a change as the owner, audited and told, through the lease of this run: it fails where another server has
   * taken over. `note` keeps what was begun, in the same commit.
   */
  change<T>(work: (tx: Db, note: (link: string) => void) => Promise<Outcome<T>>): Promise<T>
}

export type TargetResult = TargetEnd | { readonly outcome: 'goes-on' }

export type TargetEnd =
  | {
      readonly outcome: 'succeeded'
      readonly message?: string | undefined
      readonly lineage?: TargetLineage | undefined
    }
  | {
      readonly outcome: 'failed' | 'cancelled'
      /** Stable, for programs. */
      readonly code: string
      /** What went wrong, and what to do. */
      readonly message: string
      /** Whether another attempt can't do better. */
      readonly isFinal?: boolean
      /** How long to wait for another attempt at least, where the other side said so. */
      readonly retryAfterMs?: number | undefined
    }

/** What a run has read and written. */
export interface TargetLineage extends Pick<Sighting, 'inputs' | 'outputs' | 'columns'> {
  /** Whether that is all: then whatever else earlier runs have named is over. */
  readonly isWhole: boolean
}
