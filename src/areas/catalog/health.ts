import { existsSync } from 'node:fs'
import type { SeriesError } from '../../engines/series/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'

/** Replaces the engine's own messages, which may name hosts and folders: anybody may read health. */
const MESSAGES: Partial<Record<SeriesError['code'], string>> = {
  full: "There is no room to keep points in: make room on the disk of the folder 'series' in DATA_DIR",
  unwritable:
    "Points can't be written: make the disk of the folder 'series' in DATA_DIR writable, or give it back to the user of the server",
  unavailable: 'The database of the points does not answer: see that it runs and that SERIES_URL is right',
  failed: "Points can't be put into files: see the log, and the disk of the folder 'series' in DATA_DIR",
  closed: 'The time-series engine has ended: see the log, and restart the server'
}

/** The same for points that are in ClickHouse. */
const REMOTE_MESSAGES: typeof MESSAGES = {
  ...MESSAGES,
  full: 'There is no room to keep points in: make room on the disk of the database in SERIES_URL',
  failed: 'The database of the points refuses: see the log, and the rights of the user in SERIES_URL'
}

interface Needs {
  readonly config: { readonly seriesUrl: string | undefined }
  /** Where the embedded engine keeps its files. */
  readonly folder: string
  series(): Promise<{ check(): Promise<void> }>
}

/** Throws where points can't be written or queried. Does not open an engine that has never been used. */
export async function checkSeries({ config, folder, series }: Needs): Promise<void> {
  if (config.seriesUrl === undefined && !existsSync(folder)) return
  try {
    await (await series()).check()
  } catch (error) {
    const { code } = error as { code?: SeriesError['code'] }
    // Missing settings for several replicas are reported by the check `replicas`.
    if (code === 'not_shared') return
    const words = config.seriesUrl === undefined ? MESSAGES : REMOTE_MESSAGES
    const told = code === undefined ? undefined : words[code]
    throw told === undefined ? error : new HealthProblem(told, { cause: error })
  }
}
