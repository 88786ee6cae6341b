import { readFileSync } from 'node:fs'

/** Linux counts the time of processes in hundredths of a second, on every machine. */
const TICK_MS = 10
/** The indexes of user and system time, counted from the field after the name. */
const USER = 11
const SYSTEM = 12

/** The processor time of a process; undefined where it is gone, or the system does not tell. */
export function processorMsOf(pid: number): number | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name, in brackets, may hold anything, even brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}
