import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Area, AreaNeeds } from './area.ts'
import type { Bodies } from './bodies.ts'
import { dataMetrics } from './data/metrics.ts'
import { diskMetrics } from './disk-space.ts'
import { createAnswerCache } from './http/answer-cache.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { Connections } from './http/connections.ts'
import { FailureLog } from './http/failure-log.ts'
import { Gate, guard } from './http/gate.ts'
import type { Idempotency } from './http/idempotency.ts'
import { descriptorLimit, serverLimits } from './http/limits.ts'
import { createMetrics, type HttpMetrics, jobMetrics } from './http/metrics.ts'
import { OpenAnswers } from './http/open-answers.ts'
import { servePages } from './http/pages.ts'
import { Parts } from './http/parts.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { Refusals } from './http/refusals.ts'
import { serveRoutes } from './http/serve.ts'
import { createPart, createServer } from './http/server.ts'
import { resolveCaller } from './http/sign-in.ts'
import type { Phase } from './shutdown.ts'

interface Needs extends AreaNeeds {
  readonly areas: readonly Area[]
  readonly bodies: Bodies
  readonly idempotency: Idempotency
  readonly auditKeys: object
}

/** Everything between the network and the areas: each area is a part of the server, made by its first request. */
export function createFront(needs: Needs): { http: FastifyInstance; phases: readonly Phase[] } {
  const { config, clock, log, metadata, audit, areas, bodies } = needs
  const metrics = metricsOf(needs)
  const { authenticator, openAnswers } = recognition(needs)
  const limits = serverLimits(descriptorLimit())
  const connections = new Connections({
    clock,
    log,
    maxConnections: limits.connections,
    trustProxy: config.trustProxy,
    nextId: () => needs.makeId('req')
  })
  const refusals = new Refusals({ audit, metadata, clock, log })
  const failures = new FailureLog({ clock, log })
  const serverNeeds = { ...config, ...needs, connections, refusals, failures }
  const gate = new Gate({
    ...needs,
    maxPlaces: limits.places,
    authenticator,
    openAnswers,
    limiter: createRateLimiter(config.rateLimitPerMinute, clock),
    writeLimiter: createRateLimiter(config.writeRateLimitPerMinute, clock, 'writes'),
    metrics
  })
  const routeNeeds = { ...needs, openAnswers, cache: createAnswerCache(metadata) }

  const parts = new Parts(
    areas.map((area) => ({ paths: area.paths, make: () => partOf(area) })),
    async (error) => failedPart(serverNeeds, error)
  )
  const partOf = async ({ name, rewriteAddress }: Area): Promise<RequestListener> => {
    const { routes } = await bodies.get(name)
    const part = createPart(serverNeeds, rewriteAddress)
    // Only an area whose operations are all public may stand outside the gate: health, which must answer when all
    // else fails.
    const isOpen = routes.every(({ permission }) => permission === 'public')
    part.register(async (scope) => {
      if (!isOpen) guard(scope, gate)
      serveRoutes(scope, routes, routeNeeds)
    })
    await part.ready()
    return part.routing
  }
  const http = createServer(serverNeeds, parts)
  http.register(async (scope) => {
    guard(scope, gate)
    servePages(scope, { metrics, issuer: needs.issuer, auditKeys: needs.auditKeys })
  })
  http.addHook('onClose', async () => gate.close())
  return {
    http,
    phases: [
      { name: 'requests', limitMs: 10_000, run: () => http.close() },
      // A client that has still not sent the rest of its request would keep the process from ending.
      { name: 'waiting', limitMs: 2000, run: () => connections.giveUp() },
      { name: 'connections', limitMs: 1000, run: async () => http.server.closeAllConnections() },
      { name: 'refusals', limitMs: 2000, run: () => refusals.close() }
    ]
  }
}

function metricsOf(needs: Needs): HttpMetrics {
  return createMetrics({
    parts: [
      jobMetrics(needs.jobs),
      dataMetrics(needs.activity),
      diskMetrics(needs),
      ...needs.areas.flatMap((area) => area.metrics?.(needs) ?? [])
    ],
    report: (part, error) => needs.log.warn({ err: error, part }, 'metrics of a part are left out')
  })
}

/**
 * Recognises callers, and holds the answers that stay open for them: both are checked again when rights are taken
 * away.
 */
function recognition({ identity, clock, bus, service }: Needs) {
  const authenticator = createAuthenticator(
    resolveCaller(
      identity,
      { seen: async (token) => (await service('users')).seen(token) },
      { authenticate: async (key) => (await service('api-keys')).authenticate(key) }
    ),
    clock
  )
  const openAnswers = new OpenAnswers(authenticator, clock)
  const checkRightsAgain = () => {
    authenticator.forget()
    openAnswers.look()
  }
  bus.subscribe('api-key.deleted', checkRightsAgain)
  bus.subscribe('user.updated', ({ byToken }) => {
    // Two tokens that differ would make everybody's be looked at with every request.
    if (!byToken) checkRightsAgain()
  })
  return { authenticator, openAnswers }
}

/** Answers every request to an area whose body does not load with what is wrong. */
async function failedPart(needs: Parameters<typeof createPart>[0], error: unknown): Promise<RequestListener> {
  const part = createPart(needs)
  part.all('*', () => {
    throw error
  })
  await part.ready()
  return part.routing
}
