import { readFileSync } from 'node:fs'

/** Linux counts the time of processes in hundredths of a second, on every machine. */
const TICK_MS = 10
/** The places of user and system time, counted from the one after the name. */
const USER = 11
const SYSTEM = 12

/** The time that a process has had of the processor; undefined where it is gone, or the system does not say. */
export function processorMsOf(pid: number): number | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name, in brackets, may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}
