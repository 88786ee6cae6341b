import { writeSync } from 'node:fs'

/**
 * Writes a line to the standard output before it returns, so that a process that is killed next has said it. A pipe that is full
 * because whoever reads it is busy is tried again.
 */
export function say(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
