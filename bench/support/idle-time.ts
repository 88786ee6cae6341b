import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How many milliseconds of the processor an empty installation needs for 20 s of doing nothing. */
export function idleMs(without: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' }
  try {
    return Number(
      execFileSync(process.execPath, [join(import.meta.dirname, 'idle.ts'), ...without], { env, encoding: 'utf8' })
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
