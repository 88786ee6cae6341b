import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { eventually } from '../eventually.ts'
import { noteDeath } from './deaths.ts'

const MAX_OUTPUT_CHARS = 20_000
/** Other people's servers, several of them at once on two cores, begin when they get a turn. */
const START_LIMIT_MS = 120_000
const RUN_LIMIT_MS = 90_000
const STOP_LIMIT_MS = 5_000
const MAX_LAST_WORDS_CHARS = 2000

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  /** The folder it runs in; also its HOME and TMPDIR, so that it leaves nothing elsewhere. */
  readonly folder: string
}

export interface Service<T = unknown> {
  /** What the probe answered. */
  readonly ready: T
  /** Sends the signal and waits for the end; after a time limit the process is killed. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

const running = new Set<ChildProcess>()
const folders = new Set<string>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) removeFolder(folder)
})

/** An empty folder, removed with this process if not before. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) // a process killed just now may still be writing
}

/** Starts a program and waits until `probe`, which is given what was printed, neither throws nor answers false. */
export async function startService<T>(
  command: Command,
  probe: (output: string) => T | false | Promise<T | false>
): Promise<Service<T>> {
  const child = start(command)
  let [over, isAsked] = [false, false]
  void child.ended.then((result) => {
    over = true
    if (isAsked) return
    noteDeath(`${command.command} ended by itself with ${result}: ${child.output().slice(-MAX_LAST_WORDS_CHARS)}`)
  })
  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    isAsked = true
    child.process.kill(signal)
    await endWithin(STOP_LIMIT_MS, child)
  }
  let ready: T | false
  try {
    ready = await eventually(() => (over ? (true as T) : probe(child.output())), START_LIMIT_MS)
  } catch (error) {
    await stop('SIGKILL')
    throw new Error(`${command.command} did not get ready: ${child.output()}`, { cause: error })
  }
  if (over) throw new Error(`${command.command} ended with ${await child.ended}: ${child.output()}`)
  return { ready: ready as T, stop }
}

/** Runs a program to its end, and answers what it printed. */
export async function runProgram(command: Command): Promise<string> {
  const child = start(command)
  const result = await endWithin(RUN_LIMIT_MS, child)
  if (result !== 'code 0') throw new Error(`${command.command} ended with ${result}: ${child.output()}`)
  return child.output()
}

/** A probe: succeeds if something answers there. */
export async function answers(url: string): Promise<true> {
  await (await fetch(url, { signal: AbortSignal.timeout(1000) })).arrayBuffer()
  return true
}

/** A probe: the loopback port that the program said it listens on. */
export function printedPort(output: string): number | false {
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\s/.exec(output) ?? []
  return port !== undefined && Number(port)
}

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<string>
  /** The end of its output. */
  output(): string
}

async function endWithin(limitMs: number, child: Child): Promise<string> {
  child.process.ref()
  const killing = setTimeout(() => child.process.kill('SIGKILL'), limitMs)
  const result = await child.ended
  clearTimeout(killing)
  return result
}

let started = 0

function start({ command, args, folder }: Command): Child {
  // Its output goes into a file: a full pipe would stop it while the test is busy.
  started += 1
  const log = join(folder, `${basename(command)}-${started}.log`)
  const printed = openSync(log, 'w')
  // The kernel ends it with this process, even if this one is killed; on other systems the exit handler has to.
  const line = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', command] : [command]
  const child = spawn(line[0] as string, [...line.slice(1), ...args], {
    cwd: folder,
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', printed, printed]
  })
  closeSync(printed)
  running.add(child)
  child.unref() // a service that was not stopped does not keep this process alive
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      running.delete(child)
      resolve(code === null ? String(signal) : `code ${code}`)
    })
  })
  // Whoever removed its folder is past asking what it said.
  const output = () => (existsSync(log) ? readFileSync(log, 'utf8').slice(-MAX_OUTPUT_CHARS) : '')
  return { process: child, ended, output }
}
