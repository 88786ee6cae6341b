import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Seconds that files have taken, by the clock or of processor time, whichever is more. */
export type Times = Readonly<Record<string, number>>

/** What takes less is not worth a line, nor the difference between two runs a commit. */
const SHORT_SECONDS = 2

export function readTimes(): Times {
  return JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as Times
}

const TIMES_FILE = join(import.meta.dirname, 'times.json')

/** The longest first, so that nothing is waited for at the end; the rest as they were. */
export function longestFirst(files: readonly string[], times: Times): string[] {
  return files.toSorted((one, other) => (times[other] ?? 0) - (times[one] ?? 0))
}

/** What is known after a run: of the files that ran what they took now, of the others what they took then. */
export function updateTimes(
  known: Times,
  taken: ReadonlyMap<string, number>,
  exists: (file: string) => boolean
): Times {
  const rest = Object.entries(known).filter(([file]) => !taken.has(file) && exists(file))
  const now = [...taken].map(([file, seconds]) => [file, Math.round(seconds)] as const)
  const all = [...rest, ...now.filter(([, seconds]) => seconds >= SHORT_SECONDS)]
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function writeTimes(root: string, taken: ReadonlyMap<string, number>): void {
  const times = updateTimes(readTimes(), taken, (file) => existsSync(join(root, file)))
  writeFileSync(TIMES_FILE, `${JSON.stringify(times, null, 2)}\n`)
}
