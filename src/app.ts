import type { FastifyInstance } from 'fastify'
import type { Area, AreaNeeds, Services } from './area.ts'
import { createAuditKeys, createAuditTrail } from './areas/audit/index.ts'
import { AREAS } from './areas.ts'
import { Bodies } from './bodies.ts'
import { checkDisk } from './disk-health.ts'
import type { Jobs, Worker } from './engines/jobs/index.ts'
import { lateMigrations, type Migration } from './engines/metadata/index.ts'
import { createFront } from './front.ts'
import type { HealthCheck } from './http/health-check.ts'
import { Idempotency } from './http/idempotency.ts'
import { idempotencyMigrations } from './http/idempotency-migrations.ts'
import { Uses } from './http/in-use.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import type { Route } from './http/route.ts'
import { lazyPlane } from './lazy-plane.ts'
import { openSeriesEarly, replicaChecks, scrubbedOf } from './own-disk.ts'
import { checkVault, type Platform, platformMigrations } from './platform.ts'
import { scrubRegularly } from './scrub.ts'
import { runPhases } from './shutdown.ts'

export const VERSION = '0.3.0'

/** An area with its operations loaded. */
export interface LoadedArea {
  readonly name: string
  readonly about: string
  readonly routes: readonly Route[]
}

export interface App {
  readonly http: FastifyInstance
  /** The migrations that bring an empty or older database to what this version needs. */
  readonly migrations: readonly Migration[]
  /** All areas with their bodies; loads those that are not loaded yet. */
  load(): Promise<LoadedArea[]>
  /** The areas whose bodies are loaded. */
  loadedAreas(): string[]
  /** The kinds of jobs that the body of an area has workers for. */
  workersOf(area: string): Promise<string[]>
  /** The OpenAPI description of everything it serves. */
  describe(): Promise<Record<string, unknown>>
  service<N extends keyof Services>(area: N): Promise<Services[N]>
  /** Brings the database up to date and starts what runs in the background; answers whether this is the first start. */
  start(): Promise<{ firstStart: boolean }>
  /** Finishes what is under way, in phases that have a time limit each. */
  stop(): Promise<void>
}

/** Builds the server; does not listen yet. */
export function buildApp(platform: Platform, areas: readonly Area[] = AREAS): App {
  const { clock, makeId, log, vault, metadata, jobs } = platform
  const lifecycle: Lifecycle = { phase: 'starting' }
  const draining = new AbortController()
  const auditKeys = createAuditKeys(vault)
  const auditTrail = createAuditTrail({ dialect: metadata.dialect, clock, makeId, keys: auditKeys })
  const idempotency = new Idempotency({ metadata, vault, clock, makeId })

  const bodies = new Bodies(areas, () => needs)
  const service: AreaNeeds['service'] = (name) => bodies.service(name)
  const plane = lazyPlane({ ...platform, service })
  const needs: AreaNeeds = {
    ...platform,
    version: VERSION,
    lifecycle,
    audit: auditTrail,
    uses: new Uses(areas.flatMap(({ findUsers }) => findUsers ?? [])),
    scheduleTargets: Object.assign({}, ...areas.map(({ scheduleTargets }) => scheduleTargets)),
    plane,
    alertEvents: new Map(areas.flatMap(({ alertEvents = {} }) => Object.entries(alertEvents))),
    ending: draining.signal,
    checks: () => checksOf(platform, areas, needs),
    service,
    loaded: (name) => bodies.loaded(name)
  }

  for (const { name, jobs: kinds = {} } of areas) declareJobs(platform, bodies, name, kinds)
  scrubRegularly(jobs, clock, () => scrubbedOf(platform, () => service('storage')))
  pruneRegularly(jobs, idempotency)

  const front = createFront({ ...needs, areas, bodies, idempotency, auditKeys: auditKeys.publicJwks })
  const migrations = migrationsOf(areas)
  const load = async (): Promise<LoadedArea[]> =>
    (await bodies.all()).map(({ area: { name, about }, body: { routes } }) => ({ name, about, routes }))
  return {
    http: front.http,
    migrations,
    service,
    load,
    loadedAreas: () => bodies.names(),
    workersOf: async (area) => Object.keys((await bodies.get(area)).jobs ?? {}),
    describe: async () => (await import('./http/openapi.ts')).describeApi(await load(), VERSION),
    async start() {
      await metadata.migrate(migrations)
      const firstStart = await checkVault(platform)
      await platform.replicas.start()
      await front.http.ready()
      for (const area of areas) if (await area.startsEarly?.(platform)) await bodies.get(area.name)
      await jobs.start()
      lifecycle.phase = 'ready'
      await openSeriesEarly(platform)
      return { firstStart }
    },
    async stop() {
      lifecycle.phase = 'draining'
      draining.abort()
      await runPhases(
        [
          ...front.phases,
          { name: 'jobs', limitMs: 12_000, run: () => jobs.stop(5000) },
          { name: 'areas', limitMs: 20_000, run: () => stopAreas(platform, areas, bodies) },
          { name: 'data plane', limitMs: 5000, run: () => plane.close() }
        ],
        log
      )
    }
  }
}

function migrationsOf(areas: readonly Area[]): Migration[] {
  const late = areas.flatMap(({ migrations }) => (migrations === undefined ? [] : lateMigrations(migrations)))
  return [...platformMigrations, ...idempotencyMigrations, ...late]
}

function checksOf(platform: Platform, areas: readonly Area[], needs: AreaNeeds): HealthCheck[] {
  return [
    { name: 'metadata', vital: true, run: () => platform.metadata.ping() },
    { name: 'identity', vital: false, run: () => platform.identity.check() },
    ...replicaChecks(platform),
    ...areas.flatMap((area) => area.checks?.(needs) ?? []),
    { name: 'disk', vital: false, run: () => checkDisk(platform) }
  ]
}

function pruneRegularly(jobs: Jobs, idempotency: Idempotency): void {
  jobs.every('idempotency.prune', 3600_000, async (job) => {
    while ((await job.commit((tx) => idempotency.prune(tx))) > 0 && !job.signal.aborted);
  })
}

/**
 * Declares the jobs of areas. The worker of a job is in the body of its area, which is loaded by the first such job.
 */
function declareJobs({ jobs }: Platform, bodies: Bodies, area: string, kinds: NonNullable<Area['jobs']>): void {
  for (const [kind, { everyMs, isNeeded, concurrency }] of Object.entries(kinds)) {
    const work: Worker<never> = async (job) => {
      const worker = (await bodies.get(area)).jobs?.[kind]
      if (worker === undefined) throw new Error(`The area ${area} has no worker for ${kind}`)
      return worker(job)
    }
    if (everyMs === undefined) jobs.handle<never>(kind, work, concurrency === undefined ? {} : { concurrency })
    else jobs.every(kind, everyMs, work as Worker<null>, isNeeded)
  }
}

async function stopAreas({ metadata, log }: Platform, areas: readonly Area[], bodies: Bodies): Promise<void> {
  for (const { name, endsWith } of areas) {
    if (await endsWith?.(metadata.db).catch(() => false)) await bodies.get(name)
  }
  const phases = (await bodies.close()).map(({ area: { name }, body: { stop } }) => ({
    name,
    limitMs: 5000,
    run: async () => stop?.()
  }))
  await runPhases(phases, log)
}
