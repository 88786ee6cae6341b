import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Outcome } from '../../../http/route.ts'
import type { ScanFacts, Scans } from './scans.ts'
import { DEFAULT_SAMPLE_ROWS, type ScanAnswer } from './schema.ts'

/** What another try may mend. */
const PASSING: ReadonlySet<DataErrorCode> = new Set([
  'busy',
  'closed',
  'cancelled',
  'process_died',
  'unavailable',
  'timeout'
])
/** Data that are gone by now need no look. */
const GONE: ReadonlySet<DataErrorCode> = new Set(['not_found', 'nothing_matches'])

export interface BackgroundScan extends ScanFacts {
  readonly rows?: number | undefined
  readonly signal: AbortSignal
  /** Commits a change, audited and told. */
  commit<T>(work: (tx: Db) => Promise<Outcome<T>>): Promise<T>
}

/** What became of a look that nobody waits for. */
export type BackgroundEnd =
  | { readonly outcome: 'gone' | 'failed' }
  | { readonly outcome: 'looked'; readonly open: number }

/** Looks at data for a job or a schedule. That data can't be read is kept; what another try may mend is thrown. */
export async function scanInBackground(scans: Scans, asked: BackgroundScan): Promise<BackgroundEnd> {
  const { resource, rows = DEFAULT_SAMPLE_ROWS, signal, commit } = asked
  try {
    const sampled = await scans.look({ resource, rows, signal })
    const { suggestions } = await commit<ScanAnswer>((tx) => scans.keep(tx, asked, sampled))
    return { outcome: 'looked', open: suggestions.length }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DataError) || PASSING.has(error.code)) throw error
    if (GONE.has(error.code)) return { outcome: 'gone' }
    await commit((tx) => scans.keepFailure(tx, asked, error))
    return { outcome: 'failed' }
  }
}
