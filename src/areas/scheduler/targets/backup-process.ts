import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const COMMAND_LINE = fileURLToPath(new URL('../../../cli/main.js', import.meta.url))
const MAX_LINE_CHARS = 1000
const KEPT_LINES = 5

interface Asked {
  readonly dataDir: string
  readonly folder: string
  readonly signal: AbortSignal
  /** Hears all that it says. */
  onLine(line: string): void
}

interface Ended {
  readonly code: number | null
  /** What it said last of what went wrong. */
  readonly trouble: readonly string[]
}

/** Runs `millrace backup` in a process of its own, which ends with the signal. */
export async function runBackup({ dataDir, folder, signal, onLine }: Asked): Promise<Ended> {
  const child = spawn(process.execPath, [COMMAND_LINE, 'backup', folder], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal
  })
  const trouble: string[] = []
  createInterface(child.stdout).on('line', (line) => onLine(line.slice(0, MAX_LINE_CHARS)))
  createInterface(child.stderr).on('line', (line) => {
    const text = line.slice(0, MAX_LINE_CHARS)
    onLine(text)
    // What is indented is progress, or where in the program it went wrong.
    if (/^\S/.test(text) && trouble.push(text) > KEPT_LINES) trouble.shift()
  })
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
    // One that never began has no end.
    if (child.pid === undefined) reject(error)
  })
  child.on('close', (code) => (failure === undefined ? resolve({ code, trouble }) : reject(failure)))
  return promise
}
