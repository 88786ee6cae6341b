import type { FastifyInstance } from 'fastify'
import { ApiKeys, apiKeysArea } from './areas/api-keys/index.ts'
import { Audit, auditArea, createAuditKeys, createAuditTrail } from './areas/audit/index.ts'
import { BucketOpener, bucketsArea, countBuckets, encodeKeyInAddress, firstBucket } from './areas/buckets/index.ts'
import { checkSeries } from './areas/catalog/health.ts'
import { catalogArea, findSource, findSourceByName } from './areas/catalog/index.ts'
import { catalogMetrics } from './areas/catalog/metrics.ts'
import { Classification, classificationArea } from './areas/classification/index.ts'
import { checkJobs, healthArea } from './areas/health/index.ts'
import { PipelineResolver, pipelinesArea } from './areas/pipelines/index.ts'
import { RegisteredSchemas, schemasArea } from './areas/schemas/index.ts'
import { builtInSettings, Storage, storageArea } from './areas/storage/index.ts'
import { ProviderWatch } from './areas/storage/provider-watch.ts'
import { createExplainToken, Users, usersArea } from './areas/users/index.ts'
import { dataMetrics } from './data/metrics.ts'
import { ObjectResolver } from './data/object-resolver.ts'
import { DataPlane } from './data/plane.ts'
import { SeriesResolver } from './data/series-resolver.ts'
import { checkDisk } from './disk-health.ts'
import { checkObjectsOnDisk, objectMetrics } from './disk-objects.ts'
import { diskMetrics } from './disk-space.ts'
import type { Migration } from './engines/metadata/index.ts'
import { openStore } from './engines/objects/index.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { Connections } from './http/connections.ts'
import { guard } from './http/gate.ts'
import { createIdempotency, idempotencyMigrations } from './http/idempotency.ts'
import { Uses } from './http/in-use.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { descriptorLimit, serverLimits } from './http/limits.ts'
import { createMetrics, jobMetrics } from './http/metrics.ts'
import { OpenAnswers } from './http/open-answers.ts'
import { describeApi } from './http/openapi.ts'
import { servePages } from './http/pages.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { Refusals } from './http/refusals.ts'
import type { Area } from './http/route.ts'
import { serveAreas } from './http/serve.ts'
import { createServer } from './http/server.ts'
import { resolveCaller } from './http/sign-in.ts'
import { objectsNotShared, openSeriesEarly, replicaChecks, requireOwnDisk, scrubbedOf } from './own-disk.ts'
import {
  anchorFile,
  checkVault,
  isHeldByReplica,
  objectsDir,
  type Platform,
  pipelinesDir,
  planeDir,
  platformMigrations,
  seriesDir,
  spoolDir
} from './platform.ts'
import { scrubRegularly } from './scrub.ts'
import { runPhases } from './shutdown.ts'

export const VERSION = '0.3.0'

export interface App {
  readonly http: FastifyInstance
  readonly areas: readonly Area[]
  /** What brings an empty database, or an older one, to what this version needs. */
  readonly migrations: readonly Migration[]
  /** The OpenAPI description of everything it serves. */
  describe(): Record<string, unknown>
  /** Brings the database up to date and starts what runs in the background; answers whether this is the first start. */
  start(): Promise<{ firstStart: boolean }>
  /** Finishes what is under way, in phases that have a time limit each. */
  stop(): Promise<void>
}

/** Everything the product does, as a table of contents. Builds the server without listening. */
export function buildApp(platform: Platform): App {
  const { config, clock, makeId, log, vault, metadata, bus, jobs, identity } = platform
  const lifecycle: Lifecycle = { phase: 'starting' }
  const draining = new AbortController()

  const auditKeys = createAuditKeys(vault)
  const auditTrail = createAuditTrail({ dialect: metadata.dialect, clock, makeId, keys: auditKeys })
  const users = new Users({ metadata, clock, makeId, audit: auditTrail })
  const apiKeys = new ApiKeys({ metadata, clock, makeId, users })
  const audit = new Audit({
    metadata,
    clock,
    keys: auditKeys,
    anchorFile: anchorFile(config),
    requireUser: (id) => users.get(id),
    announce: (checkpoint) => log.info({ checkpoint }, 'audit checkpoint')
  })
  const classification = new Classification({ metadata, clock, makeId })
  const storage = new Storage({
    ...platform,
    countBuckets,
    firstBucket,
    objectsDir: objectsDir(config),
    builtIn: config.objectsUrl === undefined ? undefined : builtInSettings(config.objectsUrl),
    openStore: (settings) =>
      openStore(settings, { outbound: platform.outbound, now: () => clock.now() }).catch((error) => {
        throw isHeldByReplica(config, error) ? objectsNotShared(error) : error
      }),
    requireOwnDisk: () => requireOwnDisk(platform)
  })
  const uses = new Uses()
  const opener = new BucketOpener(metadata, storage)
  const sourceExists = async (id: string) => (await findSource(metadata.db, id)) !== undefined
  const plane = createPlane(platform, opener, sourceExists)
  const registered = new RegisteredSchemas(metadata)
  const idempotency = createIdempotency({ metadata, vault, clock, makeId })
  const explainToken = createExplainToken(identity, (key) => apiKeys.explain(key))

  const pipelines = pipelinesArea({
    ...platform,
    ...config,
    classification,
    uses,
    folder: pipelinesDir(config),
    requireOwnDisk: () => requireOwnDisk(platform),
    ending: draining.signal,
    bucketExists: async (name) => (await opener.find(name)) !== undefined,
    openBucket: (name) => opener.open(name),
    sourceExists,
    isNameOfSource: async (name) => (await findSourceByName(metadata.db, name)) !== undefined,
    schemaOf: (id, version) => registered.asJsonSchema(id, version),
    sharedStore:
      config.objectsUrl === undefined
        ? undefined
        : { store: () => storage.builtInStore(), bucket: storage.ownBucket('pipelines') },
    plane
  })

  const providerWatch = new ProviderWatch({
    ...platform,
    firstBucket,
    look: (id, bucket) => storage.look(id, bucket)
  })
  const health = healthArea({
    clock,
    lifecycle,
    version: VERSION,
    checks: [
      { name: 'metadata', vital: true, run: () => metadata.ping() },
      { name: 'identity', vital: false, run: () => identity.check() },
      {
        name: 'objects',
        vital: false,
        run: () => (config.objectsUrl === undefined ? checkObjectsOnDisk(objectsDir(config)) : storage.checkBuiltIn())
      },
      { name: 'series', vital: false, run: () => checkSeries({ ...platform, folder: seriesDir(config) }) },
      ...replicaChecks(platform),
      { name: 'pipelines', vital: false, run: () => pipelines.check() },
      { name: 'storage', vital: false, run: () => providerWatch.check() },
      { name: 'jobs', vital: false, run: () => checkJobs(jobs) },
      { name: 'disk', vital: false, run: () => checkDisk(platform) }
    ],
    report: (check, error) => log.warn({ err: error, check }, 'a health check failed')
  })
  const areas: Area[] = [
    health,
    usersArea(users, explainToken),
    apiKeysArea(apiKeys),
    auditArea(audit, jobs),
    classificationArea(classification),
    storageArea(storage, bus),
    bucketsArea({
      ...platform,
      ...config,
      storage,
      classification,
      spoolDir: spoolDir(config, platform.processName),
      opener,
      uses
    }),
    catalogArea({ ...platform, ...config, audit: auditTrail, classification, uses }),
    pipelines,
    schemasArea({ ...platform, plane, registered, uses })
  ]
  scrubRegularly(jobs, clock, () => scrubbedOf(platform, storage))
  jobs.every('idempotency.prune', 3600_000, async (job) => {
    while ((await job.commit(idempotency.prune)) > 0 && !job.signal.aborted);
  })

  const metrics = createMetrics({
    parts: [
      health.metrics,
      jobMetrics(jobs),
      pipelines.metrics,
      dataMetrics(platform.activity),
      catalogMetrics(platform),
      objectMetrics(objectsDir(config)),
      providerWatch.metrics,
      diskMetrics(platform)
    ],
    report: (part, error) => log.warn({ err: error, part }, 'metrics of a part are left out')
  })
  const authenticator = createAuthenticator(resolveCaller(identity, users, apiKeys), clock)
  const openAnswers = new OpenAnswers(authenticator, clock)
  const lookAnew = () => {
    authenticator.forget()
    openAnswers.look()
  }
  bus.subscribe('api-key.deleted', lookAnew)
  bus.subscribe('user.updated', lookAnew)
  const limits = serverLimits(descriptorLimit())
  const connections = new Connections({
    clock,
    log,
    maxConnections: limits.connections,
    trustProxy: config.trustProxy,
    nextId: () => makeId('req')
  })
  const refusals = new Refusals({ audit: auditTrail, metadata, clock, log })
  const serverNeeds = {
    clock,
    makeId,
    log,
    lifecycle,
    connections,
    refusals,
    maxPlaces: limits.places,
    authenticator,
    openAnswers,
    limiter: createRateLimiter(config.rateLimitPerMinute, clock),
    writeLimiter: createRateLimiter(config.writeRateLimitPerMinute, clock, 'writes'),
    metrics,
    maxBodyBytes: config.maxBodyBytes,
    trustProxy: config.trustProxy,
    rewriteAddress: encodeKeyInAddress
  }
  const http = createServer(serverNeeds)
  const describe = () => describeApi(areas, VERSION)
  const routeNeeds = { metadata, bus, audit: auditTrail, idempotency, openAnswers }
  // Only an area that asks nobody for anything may stand outside the gate: health, which must answer when all else fails.
  const isOpen = ({ routes }: Area) => routes.every(({ permission }) => permission === 'public')
  http.register(async (scope) => serveAreas(scope, areas.filter(isOpen), routeNeeds))
  http.register(async (scope) => {
    guard(scope, serverNeeds)
    serveAreas(
      scope,
      areas.filter((area) => !isOpen(area)),
      routeNeeds
    )
    servePages(scope, { describe, metrics, issuer: platform.issuer, auditKeys: auditKeys.publicJwks })
  })

  const migrations = [
    ...platformMigrations,
    ...idempotencyMigrations,
    ...areas.flatMap((area) => area.migrations ?? [])
  ]
  return {
    http,
    areas,
    migrations,
    describe,
    async start() {
      await metadata.migrate(migrations)
      const firstStart = await checkVault(platform)
      await platform.replicas.start()
      await http.ready()
      for (const area of areas) await area.start?.()
      await jobs.start()
      lifecycle.phase = 'ready'
      await openSeriesEarly(platform)
      return { firstStart }
    },
    async stop() {
      lifecycle.phase = 'draining'
      draining.abort()
      const areaPhases = areas
        .toReversed()
        .map(({ name, stop }) => ({ name, limitMs: 5000, run: async () => stop?.() }))
      await runPhases(
        [
          { name: 'requests', limitMs: 10_000, run: () => http.close() },
          // Whoever has still not sent the rest of a request by now would keep the process from ending.
          { name: 'waiting', limitMs: 2000, run: () => connections.giveUp() },
          { name: 'connections', limitMs: 1000, run: async () => http.server.closeAllConnections() },
          { name: 'refusals', limitMs: 2000, run: () => refusals.close() },
          { name: 'jobs', limitMs: 12_000, run: () => jobs.stop(5000) },
          ...areaPhases,
          { name: 'data plane', limitMs: 5000, run: () => plane.close() }
        ],
        log
      )
    }
  }
}

/** SQL over all that data references name. */
function createPlane(
  { config, metadata, series, processName, activity }: Platform,
  opener: BucketOpener,
  sourceExists: (id: string) => Promise<boolean>
): DataPlane {
  const objects = new ObjectResolver((name) => opener.find(name))
  const points = new SeriesResolver({ export: async (...asked) => (await series()).export(...asked) }, sourceExists)
  const outputs = new PipelineResolver({ metadata, objects, series: points })
  const asked = () => activity.asked('sql')
  return new DataPlane({ resolvers: [objects, points, outputs], folder: planeDir(config, processName), asked })
}
