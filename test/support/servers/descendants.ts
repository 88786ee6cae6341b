import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The processes that stand below those which this one has started with a word in their command lines. Servers that have a
 * process for each connection leave these alone when they are killed.
 */
export function descendantsOf(word: string): number[] {
  const parents = allParents()
  const started = parents.filter(([pid, by]) => by === process.pid && contentOf(`${pid}/cmdline`).includes(word))
  return started.flatMap(([pid]) => below(pid, parents))
}

/** The processes that work in a folder, whoever started them. */
export const workingIn = (folder: string): number[] =>
  allPids()
    .filter((pid) => folderOf(pid) === folder)
    .map(Number)

/** What everybody on this machine can see of this process and of all that it has started: commands and environments. */
export function seenOfProcesses(): string {
  const all = [process.pid, ...below(process.pid, allParents())]
  return all.map((pid) => `${contentOf(`${pid}/cmdline`)} ${contentOf(`${pid}/environ`)}`).join('\n')
}

type Parents = readonly (readonly [pid: number, parent: number])[]

const allPids = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

const allParents = (): Parents => allPids().map((pid) => [Number(pid), parentOf(pid)])

const below = (pid: number, parents: Parents): number[] =>
  parents.filter(([, by]) => by === pid).flatMap(([child]) => [child, ...below(child, parents)])

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

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
