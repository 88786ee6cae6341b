import { existsSync } from 'node:fs'
import type { SeriesError } from '../../engines/series/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'

/** The engine's own words may name hosts and folders, which are nobody's business. */
const TOLD: Partial<Record<SeriesError['code'], string>> = {
  full: 'There is no room to keep points in: make room on the disk',
  unavailable: 'The database of the points does not answer: see that it runs and that SERIES_URL is right',
  failed: 'The database of the points refuses: see the log, and the rights of the user in SERIES_URL',
  closed: 'The time-series engine has ended: see the log, and restart the server'
}

interface Needs {
  readonly config: { readonly seriesUrl: string | undefined }
  /** Where the embedded engine keeps its files. */
  readonly folder: string
  series(): Promise<{ check(): Promise<void> }>
}

/** Throws where points can't be written and asked for. Opens no engine that nobody has used yet. */
export async function checkSeries({ config, folder, series }: Needs): Promise<void> {
  if (config.seriesUrl === undefined && !existsSync(folder)) return
  try {
    await (await series()).check()
  } catch (error) {
    const { code } = error as { code?: SeriesError['code'] }
    // What several replicas lack is told by a check of its own.
    if (code === 'not_shared') return
    const told = code === undefined ? undefined : TOLD[code]
    throw told === undefined ? error : new HealthProblem(told, { cause: error })
  }
}
