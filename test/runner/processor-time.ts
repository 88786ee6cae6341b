import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The unit that Linux counts in, whatever the machine. */
const TICK_MS = 10

interface Entry {
  readonly pid: number
  readonly parent: number
  readonly ms: number
}

/** The time that all processors of the machine have been busy and idle so far, whoever used them. */
export function processorsOfMachine(): { readonly busyMs: number; readonly idleMs: number } {
  let [busyMs, idleMs] = [0, 0]
  for (const { times } of cpus()) {
    busyMs += times.user + times.nice + times.sys + times.irq
    idleMs += times.idle
  }
  return { busyMs, idleMs }
}

/**
 * Milliseconds of processor time that a process and everything that it has started have used so far: those that run, and
 * those that have ended and been waited for, which the system adds to whoever started them. Those of a server that was
 * killed are missing, because nobody waits for them. Undefined where the system does not tell.
 */
export function processorMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readEntry(Number(name)) ?? [])
  const family = new Set([pid])
  // A child may come before its parent in the list.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const entry of entries) if (family.has(entry.parent)) family.add(entry.pid)
  }
  return entries.filter((entry) => family.has(entry.pid)).reduce((sum, entry) => sum + entry.ms, 0)
}

function readEntry(pid: number): Entry | undefined {
  let line: string
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined // it has ended meanwhile
  }
  // The second field is the name of the program in brackets, which may hold anything.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = [1, 11, 12, 13, 14].map(
    (index) => fields[index]
  )
  return { pid, parent, ms: (user + system + childrenUser + childrenSystem) * TICK_MS }
}
