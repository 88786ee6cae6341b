import { healthRoutes } from '../../src/areas/health/routes.ts'
import { HealthService } from '../../src/areas/health/service.ts'
import { createIds } from '../../src/engines/ids.ts'
import { createLog } from '../../src/engines/log.ts'
import type { Metadata } from '../../src/engines/metadata/index.ts'
import { createAnswerCache } from '../../src/http/answer-cache.ts'
import type { AuditEntry } from '../../src/http/audit-trail.ts'
import { createAuthenticator, refusedToken } from '../../src/http/authenticate.ts'
import { Connections } from '../../src/http/connections.ts'
import { FailureLog } from '../../src/http/failure-log.ts'
import { Gate, guard } from '../../src/http/gate.ts'
import type { Lifecycle } from '../../src/http/lifecycle.ts'
import { OpenAnswers } from '../../src/http/open-answers.ts'
import { createRateLimiter } from '../../src/http/rate-limit.ts'
import { Refusals } from '../../src/http/refusals.ts'
import { change, created, type Route, read, StreamAnswer } from '../../src/http/route.ts'
import { serveRoutes } from '../../src/http/serve.ts'
import { createServer } from '../../src/http/server.ts'
import { Type } from '../../src/http/type.ts'
import { ManualClock } from './manual-clock.ts'

export interface BareServerOptions {
  readonly limitPerMinute?: number
  readonly trustProxy?: boolean
  readonly maxConnections?: number
  readonly maxPlaces?: number
}

/** The HTTP layer alone, with operations that a test defines and without a database. */
export async function startBareServer({
  limitPerMinute = 0,
  trustProxy = false,
  maxConnections = 10_000,
  maxPlaces = 2000
}: BareServerOptions = {}) {
  const clock = new ManualClock()
  const lifecycle: Lifecycle = { phase: 'ready' }
  const audited: AuditEntry[] = []
  const logged: string[] = []
  const audit = { append: async (_tx: unknown, entry: AuditEntry) => void audited.push(entry) }
  const metadata = { transaction: (work: (tx: never) => unknown) => work(undefined as never) } as unknown as Metadata
  const held = createHeld()
  const authenticator = createAuthenticator(resolve, clock)
  const openAnswers = new OpenAnswers(authenticator, clock)
  const makeId = createIds(clock)
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  const connections = new Connections({ clock, log, maxConnections, trustProxy, nextId: () => makeId('req') })
  const refusals = new Refusals({ audit, metadata, clock, log })
  const needs = {
    clock,
    makeId,
    log,
    lifecycle,
    connections,
    refusals,
    failures: new FailureLog({ clock, log }),
    maxPlaces,
    authenticator,
    openAnswers,
    limiter: createRateLimiter(limitPerMinute, clock),
    writeLimiter: createRateLimiter(0, clock),
    metrics: { observe: () => {}, render: async () => '' },
    maxBodyBytes: 10_000,
    trustProxy
  }
  const http = createServer(needs)
  const bus = { publish: () => {} } as never
  const cache = createAnswerCache(metadata)
  const routeNeeds = { metadata, audit, bus, idempotency: undefined as never, openAnswers, cache }
  const health = new HealthService({ clock, lifecycle, version: '1', checks: [], log: { info() {}, warn() {} } })
  const gate = new Gate(needs)
  http.addHook('onClose', async () => gate.close())
  http.register(async (scope) => serveRoutes(scope, healthRoutes(health), routeNeeds))
  http.register(async (scope) => {
    guard(scope, gate)
    serveRoutes(scope, thingRoutes(held), routeNeeds)
  })
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    http,
    clock,
    lifecycle,
    held,
    audited,
    logged,
    async call(method: string, path: string, token = 'ada', headers: Record<string, string> = {}) {
      const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    async close() {
      held.release()
      http.server.closeAllConnections()
      await http.close()
    }
  }
}

export type BareServer = Awaited<ReturnType<typeof startBareServer>>

/** Holds callers back until it is released, and counts them. */
function createHeld() {
  let release = () => {}
  let gate = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    waiting: 0,
    async wait() {
      this.waiting++
      await gate
      this.waiting--
    },
    release() {
      release()
      gate = new Promise((resolve) => {
        release = resolve
      })
    }
  }
}

async function resolve(token: string) {
  if (!['ada', 'bob', 'eve'].includes(token)) throw refusedToken('key', 'The token is unknown.')
  return { id: token, name: token, role: 'admin', scopes: undefined, apiKeyId: undefined } as const
}

const Thing = Type.Object({ id: Type.String() })

async function* endless() {
  for (;;) {
    yield 'x'.repeat(10_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function thingRoutes(held: { wait(): Promise<void> }): Route[] {
  const facts = { permission: 'users:self', answer: Thing } as const
  return [
    read({ ...facts, path: '/things', operationId: 'getThing', summary: '' }, () => ({ id: 'thing' })),
    read({ ...facts, path: '/things/held', operationId: 'getHeld', summary: '' }, async () => {
      await held.wait()
      return { id: 'held' }
    }),
    read({ ...facts, path: '/things/broken', operationId: 'getBroken', summary: '' }, async () => {
      throw new Error('the reason')
    }),
    read({ ...facts, path: '/things/stream', operationId: 'getStream', summary: '' }, () => {
      return new StreamAnswer('text/plain', endless())
    }),
    change(
      {
        ...facts,
        method: 'POST',
        path: '/things',
        operationId: 'makeThing',
        summary: '',
        status: 201,
        audit: 'thing.create'
      },
      async () => created('thing', { id: 'new' })
    )
  ]
}
