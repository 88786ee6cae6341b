import type { DatabaseSync } from 'node:sqlite'
import { type AreaSettings, declareSettings } from './config.ts'
import type { DataPlane } from './data/plane.ts'
import type { Worker } from './engines/jobs/index.ts'
import type { Db, LateMigrations } from './engines/metadata/index.ts'
import type { Finding, Installation } from './finding.ts'
import type { AuditTrail } from './http/audit-trail.ts'
import type { HealthCheck } from './http/health-check.ts'
import type { FindUsers, Uses } from './http/in-use.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import type { MetricsPart } from './http/metrics.ts'
import { declarePermissions, type Permission } from './http/permissions.ts'
import type { Route } from './http/route.ts'
import type { Platform } from './platform.ts'
import type { ScheduleTarget } from './schedule-target.ts'

/**
 * One vertical slice of the product, as much of it as the server must know before anybody uses it. All else is its body,
 * which is loaded by the first request, job or event that needs it: so an area costs nothing until then.
 */
export interface Area {
  /** Also the tag of its operations, the first half of its permissions and the beginning of its tables' names. */
  readonly name: string
  /** One sentence for the reference. */
  readonly about: string
  /** Two segments below `/api`, one beside it: every address that begins so is this area's. */
  readonly paths: readonly string[]
  readonly permissions?: readonly Permission[]
  /** The settings of the area, by the member of `Config` that each is read into. */
  readonly settings?: AreaSettings
  /** The migrations in the order in which they run. */
  readonly migrations?: LateMigrations
  /** The kinds of jobs that its body has workers for. */
  readonly jobs?: Readonly<Record<string, JobFacts>>
  /** Whether the body is needed from the start, because there is work before anybody asks. */
  startsEarly?(platform: Platform): Promise<boolean>
  /** Which of its resources use one that is about to be deleted. */
  readonly findUsers?: FindUsers
  /** What schedules can have done here, by the names that they know it by. */
  readonly scheduleTargets?: ScheduleTargets
  /** Brings an address into the form that its routes are declared in, before one is looked for. */
  rewriteAddress?(url: string): string
  /** Whether the body has work at the end of the server even though it was not loaded. */
  endsWith?(db: Db): Promise<boolean>
  checks?(needs: AreaNeeds): readonly HealthCheck[]
  metrics?(needs: AreaNeeds): readonly MetricsPart[]
  /** What `doctor` reports about the area. */
  examine?(installation: Installation): Promise<Finding[]>
  readonly keptFiles?: KeptFiles
  /** What may happen in the area that alert rules can be about, by name: `pipeline-run.failed`. */
  readonly alertEvents?: Readonly<Record<string, AlertEvent>>
  load(): Promise<BuildBody>
}

/**
 * Files of an area in a folder of its own, which a backup copies together with the rows that name them. They are
 * never changed.
 */
export interface KeptFiles {
  /** Below `DATA_DIR`. */
  readonly folder: string
  /** The tables that name the files; where the tables do not exist yet, no file is named. */
  readonly tables: readonly string[]
  /** The names of the files, each with who needs it. Names are of letters, digits and `_` only. */
  namesIn(copy: DatabaseSync): Promise<Map<string, string>>
}

/**
 * Something that happens, for alert rules. It is asked of the database, because events on the bus reach one process
 * only and are lost with it.
 */
export interface AlertEvent {
  /** One sentence for the reference. */
  readonly about: string
  /** The names of the labels that tell what it happened to. */
  readonly labels: readonly string[]
  /**
   * What has happened since the last look, and what has happened before and still lasts: what is not told is over. The
   * first time the cursor is null. Something may be told twice, and must not be left out.
   */
  since(db: Db, cursor: string | null, nowMs: number): Promise<{ happenings: readonly Happening[]; cursor: string }>
}

/** The labels of what it happened to. */
export type Happening = Readonly<Record<string, string>>

/**
 * Makes permissions, errors and settings of an area known; a name that two areas declare is found when the program
 * starts.
 */
export function declareArea(area: Area): Area {
  declarePermissions(area.permissions ?? [])
  declareSettings(area.settings ?? {})
  return area
}

/** A target is loaded by the first schedule that names it. */
export type ScheduleTargets = Readonly<Record<string, (needs: AreaNeeds) => Promise<ScheduleTarget>>>

interface JobFacts {
  /** Most of them at once in this process; 4 unless given. */
  readonly concurrency?: number
  /** The interval of a recurring job. */
  readonly everyMs?: number
  /** Whether a recurring job has anything to do; until then the body is not loaded. */
  isNeeded?(db: Db): Promise<boolean>
}

export type BuildBody = (needs: AreaNeeds) => AreaBody | Promise<AreaBody>

/** The working part of an area, loaded when it is first needed. */
export interface AreaBody {
  readonly routes: readonly Route[]
  readonly jobs?: Readonly<Record<string, Worker<never>>>
  /** What other areas may ask of it, under its name in `Services`. */
  readonly service?: unknown
  start?(): Promise<void>
  stop?(): Promise<void>
}

/** What areas ask of each other: each adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the areas
export interface Services {}

/** What a body is made from. */
export interface AreaNeeds extends Platform {
  readonly version: string
  readonly lifecycle: Lifecycle
  readonly audit: AuditTrail
  readonly uses: Uses
  /** What all areas declare for schedules. */
  readonly scheduleTargets: ScheduleTargets
  /** Runs SQL over everything that data references name. */
  readonly plane: Pick<DataPlane, 'query' | 'session' | 'describe' | 'lineage'>
  /** What alert rules can be about, of all areas. */
  readonly alertEvents: ReadonlyMap<string, AlertEvent>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
  /** The health checks of all engines and areas. */
  checks(): readonly HealthCheck[]
  /** The service of an area; loads the area where it is not loaded yet. */
  service<N extends keyof Services>(area: N): Promise<Services[N]>
  /** The service of an area; undefined where it is not loaded. */
  loaded<N extends keyof Services>(area: N): Services[N] | undefined
}
