import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Load, LoadResult } from './load.ts'

const root = join(import.meta.dirname, '../..')

export interface Running {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly readyMs: number
  readonly output: () => string
  stop(): Promise<void>
}

/** The product as `npm start` runs it, on an empty data folder. */
export async function startMillrace(env: Record<string, string> = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const port = await freePort()
  const started = await startServer(['src/main.js'], port, '/api/health', {
    DATA_DIR: folder,
    PORT: String(port),
    ...env
  })
  return {
    ...started,
    async stop() {
      await started.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

/** The token that the first start prints, a moment after the server is ready. */
export async function tokenOf(server: Running): Promise<string> {
  for (;;) {
    const token = /Admin token\s+(\S+)/.exec(server.output())?.[1]
    if (token !== undefined) return token
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export async function startServer(
  args: string[],
  port: number,
  probe: string,
  env: Record<string, string>
): Promise<Running> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  while (!(await answers(port, probe))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
    if (performance.now() - startedAt > 20_000) throw new Error(`${args.join(' ')} is not ready after 20 s`)
  }
  const readyMs = performance.now() - startedAt
  return { port, pid: child.pid as number, readyMs, output: () => output, stop: () => stopChild(child) }
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`)).ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return false
  }
}

function stopChild(child: ChildProcess): Promise<void> {
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  return exit
}

/** Puts a load on a server from a process of its own. */
export function putLoad(load: Load): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load.ts'))
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as LoadResult))
    child.once('error', reject)
    child.send(load)
  })
}

export function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Milliseconds of the processor that a process has used so far, in steps of ten. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // What comes after the name, which may have spaces and brackets in it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * MS_PER_TICK
}

const MS_PER_TICK = 10

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
