import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readOrMakeSecret } from '../../src/engines/vault/secret-file.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const root = join(import.meta.dirname, '../..')
/** The compile cache of src/main.js; processes with this variable use it from their first file on. */
export const COMPILE_CACHE = join(root, 'node_modules/.cache/millrace')
const MAX_OUTPUT_CHARS = 200_000
const START_LIMIT_MS = 60_000
const RUN_LIMIT_MS = 90_000
const STOP_LIMIT_MS = 45_000

/** The whole environment of a process: nothing of this process's own is added. */
export type Env = Record<string, string>

/** A DATA_DIR with nothing but a secret, so that tokens can be made before the first start, and an empty database. */
export async function createInstallation(): Promise<{ database: TestDatabase; env: Env; drop(): Promise<void> }> {
  const database = await createTestDatabase()
  if (database.databaseUrl === undefined) readOrMakeSecret(join(database.folder, 'secret.key'))
  const env = {
    DATA_DIR: database.folder,
    PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...(database.databaseUrl !== undefined && {
      DATABASE_URL: database.databaseUrl,
      SECRET_KEY: 'test-secret-'.repeat(4)
    })
  }
  return { database, env, drop: () => database.drop() }
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  readonly startedInMs: number
  /** Everything it has printed so far. */
  output(): string
  /** What it has logged so far. */
  logged(): string
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Runs one command to its end. */
export function runCli(args: readonly string[], env: Env): Promise<Ended> {
  return runToEnd(['src/cli/main.js', ...args], env)
}

/** Does the same without a process, for the many tests of refused commands. */
export async function runCliHere(t: TestContext, args: readonly string[], env: Env): Promise<Omit<Ended, 'signal'>> {
  const { runCommandLine } = await import('../../src/cli/run.ts')
  const printed = { stdout: '', stderr: '' }
  const mocks = (['log', 'error'] as const).map((name) =>
    t.mock.method(console, name, (line: unknown) => {
      printed[name === 'log' ? 'stdout' : 'stderr'] += `${line instanceof Error ? line.stack : line}\n`
    })
  )
  try {
    const code = await runCommandLine(args, env)
    return { code, ...printed }
  } finally {
    for (const { mock } of mocks) mock.restore()
  }
}

/** Runs a script that is expected to end by itself. */
export function runToEnd(args: readonly string[], env: Env): Promise<Ended> {
  const child = start(args, { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env })
  return within(RUN_LIMIT_MS, child.ended, `node ${args.join(' ')} did not end`, () => child.process.kill('SIGKILL'))
}

/** Starts a server, which prints where it is ready, and waits for that. `descriptors` bounds the files it may open. */
export async function startServer(
  env: Env,
  script: readonly string[] = ['src/main.js'],
  descriptors?: number
): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = start(script, env, descriptors)
  const ready = new Promise<string>((resolve, reject) => {
    child.process.stdout?.on('data', () => {
      const [, url] = / is ready at (\S+)\n/.exec(child.output()) ?? []
      if (url !== undefined) resolve(url)
    })
    void child.ended.then(({ stdout, stderr }) => reject(new Error(`The server ended: ${stdout}${stderr}`)))
  })
  const kill = () => child.process.kill('SIGKILL')
  const url = await within(START_LIMIT_MS, ready, 'The server did not get ready', kill)
  return {
    url,
    pid: child.process.pid as number,
    startedInMs: performance.now() - startedMs,
    output: child.output,
    logged: child.logged,
    stop(signal = 'SIGTERM') {
      child.process.kill(signal)
      return within(STOP_LIMIT_MS, child.ended, `The server did not end on ${signal}`, kill)
    }
  }
}

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  output(): string
  logged(): string
}

/** Processes that are still running, to be ended if a test fails half way. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function start(args: readonly string[], env: Env, descriptors?: number): Child {
  const [command, ...before] =
    descriptors === undefined
      ? [process.execPath]
      : ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath]
  const child = spawn(command as string, [...before, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  children.add(child)
  child.unref() // a caller that waits for it has a time limit, which keeps this process alive
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    ;(child[name] as Socket).unref()
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] = (printed[name] + text).slice(-MAX_OUTPUT_CHARS)
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, ...printed })
    })
  })
  return { process: child, ended, output: () => printed.stdout, logged: () => printed.stderr }
}

async function within<T>(limitMs: number, result: Promise<T>, message: string, giveUp: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      giveUp()
      reject(new Error(`${message} within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Calls a server as somebody; answers the status and the JSON. */
export async function callServer(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
