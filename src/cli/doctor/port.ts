import { createServer } from 'node:net'
import { type Finding, fail, type Installation, ok, reasonOf, warn } from '../../finding.ts'
import { isHeld } from './data-dir.ts'

const PROBE_TIMEOUT_MS = 2000
const SUBJECT = 'server'

/** Checks that the port is free, or served by the server of this installation. */
export async function checkServer(installation: Installation): Promise<Finding> {
  const { host, port, dataDir, databaseUrl } = installation.config
  const held = isHeld(installation)
  if (port === 0) return ok(SUBJECT, held ? `a millrace runs on ${dataDir}` : 'not running; it will take a free port')
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const health = await askHealth(address)
  if (health === undefined) {
    const taken = await listenFault(host, port)
    if (taken !== undefined) return fail(SUBJECT, `${host}:${port} can't be listened on: ${taken}`)
    if (held)
      return warn(SUBJECT, `another process holds ${dataDir}, but none answers at ${address}: check HOST and PORT`)
    return ok(SUBJECT, `not running; ${host}:${port} is free`)
  }
  if (!held && databaseUrl === undefined) {
    return fail(SUBJECT, `the millrace at ${address} does not run on ${dataDir}: set another PORT, or its DATA_DIR`)
  }
  const found = `version ${health.version} at ${address} is ${health.status}`
  return health.status === 'ok' ? ok(SUBJECT, found) : warn(SUBJECT, `${found}: look at ${address}/api/health`)
}

/** The health answer of a millrace server; undefined where nothing, or something else, answers. */
async function askHealth(address: string): Promise<{ status: string; version: string } | undefined> {
  const url = new URL('/api/health', address)
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = 'localhost'
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), redirect: 'error' })
    const health = (await response.json()) as { status?: unknown; version?: unknown; checks?: unknown }
    if (typeof health.version !== 'string' || typeof health.checks !== 'object') return undefined
    return { status: String(health.status), version: health.version }
  } catch {
    return undefined
  }
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program does already; set another PORT',
  EADDRNOTAVAIL: 'this machine does not have that address; set another HOST',
  EACCES: 'this user may not; set a PORT of 1024 or more'
}

/** Tries to listen; answers the reason where that fails. */
function listenFault(host: string, port: number): Promise<string | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(REASONS[error.code ?? ''] ?? reasonOf(error)))
    probe.listen({ host, port }, () => probe.close(() => resolve(undefined)))
  })
}
