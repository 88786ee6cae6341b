import assert from 'node:assert/strict'
import { type App, buildApp } from '../../src/app.ts'
import type { Area } from '../../src/area.ts'
import { readConfig } from '../../src/areas.ts'
import type { Clock } from '../../src/engines/clock.ts'
import type { Role } from '../../src/engines/identity/index.ts'
import { createLog } from '../../src/engines/log.ts'
import { readOrMakeSecret } from '../../src/engines/vault/secret-file.ts'
import { openPlatform, type Platform, type PlatformParts, secretFile } from '../../src/platform.ts'
import { createMigratedDatabase, type TestDatabase } from './database.ts'
import { declaredEvents } from './declared-events.ts'

/** A whole platform on a fresh database of the kind under test, with its API on a loopback port. */
export interface TestApp {
  readonly url: string
  readonly app: App
  readonly platform: Platform
  readonly database: TestDatabase
  /** What was logged, line by line. */
  readonly logged: string[]
  /** A token of the built-in issuer. */
  token(user: string, role?: Role): Promise<string>
  /** Calls the API as somebody; `as` is a token or a role, for which a user of that name is made. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Closes the platform and starts another one on the same data. */
  reopen(): Promise<TestApp>
  close(): Promise<void>
}

export interface CallOptions {
  readonly as?: Role | { token: string } | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

export interface TestAppOptions {
  readonly env?: Record<string, string>
  readonly clock?: Clock
  readonly database?: TestDatabase
  readonly areas?: readonly Area[]
  readonly diskSpace?: PlatformParts['diskSpace']
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createMigratedDatabase(migrate))
  const logged: string[] = []
  const config = readConfig({
    PORT: '0',
    DATA_DIR: database.folder,
    ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }),
    RATE_LIMIT: '0',
    LOG_LEVEL: 'debug',
    ...options.env
  })
  // A server does not start with an existing database and without its secret.
  if (options.database === undefined) readOrMakeSecret(secretFile(config))
  const log = createLog(config.logLevel, { write: (line: string) => void logged.push(line) })
  const { clock, diskSpace } = options
  const platform = await openPlatform(config, { log, ...(clock && { clock }), ...(diskSpace && { diskSpace }) })
  const app = buildApp(platform, options.areas)
  const undeclared = new Set<string>()
  platform.bus.subscribe('*', ({ type }) => {
    if (!declaredEvents().has(type)) undeclared.add(type)
  })
  await app.start()
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 })

  const tokens = new Map<string, Promise<string>>()
  const token = (user: string, role?: Role) => {
    if (platform.issuer === undefined) throw new Error('An outside provider issues the tokens of this platform')
    return platform.issuer.issue({
      subject: user,
      name: user,
      roles: role === undefined ? [] : [role],
      ttlMs: 3600_000
    })
  }
  const tokenOf = (role: Role) => {
    const known = tokens.get(role) ?? token(role, role)
    tokens.set(role, known)
    return known
  }

  async function shut(): Promise<void> {
    app.http.server.closeAllConnections()
    await app.stop()
    await platform.close()
  }

  return {
    url,
    app,
    platform,
    database,
    logged,
    token,
    async call(method, path, { as, body, headers = {} } = {}) {
      const bearer = as === undefined ? undefined : typeof as === 'string' ? await tokenOf(as) : as.token
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
        })
      })
      const text = await response.text()
      const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== ''
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
    async reopen() {
      await shut()
      return startTestApp({ ...options, database })
    },
    async close() {
      await shut()
      await database.drop()
      assert.deepEqual([...undeclared], [], 'events that were told and are not declared')
    }
  }
}

async function migrate({ folder, databaseUrl }: TestDatabase): Promise<void> {
  const where = { DATA_DIR: folder, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  const platform = await openPlatform(readConfig({ ...where, LOG_LEVEL: 'error' }))
  await platform.metadata.migrate(buildApp(platform).migrations)
  await platform.close()
}
