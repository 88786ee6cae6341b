import { readdirSync, readFileSync } from 'node:fs'

/**
 * The processes that stand below those which this one has started with a word in their command lines. Servers that have a
 * process for each connection leave these alone when they are killed.
 */
export function descendantsOf(word: string): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const)
  const below = (pid: number): number[] =>
    parents.filter(([, by]) => by === pid).flatMap(([child]) => [child, ...below(child)])
  const started = parents.filter(([pid, by]) => by === process.pid && contentOf(`${pid}/cmdline`).includes(word))
  return started.flatMap(([pid]) => below(pid))
}

/** Kills processes that may have ended by themselves. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

const parentOf = (pid: string) => Number(/\) \S (\d+)/.exec(contentOf(`${pid}/stat`))?.[1] ?? 0)

function contentOf(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
