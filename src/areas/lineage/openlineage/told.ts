import type { DataSeen, JobSeen, Sighting } from '../sighting.ts'

/** What one event tells. */
export interface Told {
  readonly sightings: readonly Sighting[]
  readonly news: readonly News[]
  readonly run: RunDetails | undefined
  /** The SQL that the job runs, as the producer has it: it has not been read yet. */
  readonly statement: Statement | undefined
}

/** What is told of data and jobs apart from who reads and writes them. */
export type News =
  | { readonly kind: 'data-described'; readonly timeMs: number; readonly data: DataSeen }
  | { readonly kind: 'job-described'; readonly timeMs: number; readonly job: JobSeen }
  /** The same data have another name from then on. */
  | { readonly kind: 'data-renamed'; readonly timeMs: number; readonly from: string; readonly to: string }
  | { readonly kind: 'data-dropped'; readonly timeMs: number; readonly reference: string }
  /** What was told before is no longer so, and nothing is told in its place. Of data, or of a job. */
  | { readonly kind: 'forgotten'; readonly timeMs: number; readonly reference: string; readonly what: Detail }
  /** Where the data lie; for people. */
  | {
      readonly kind: 'data-source'
      readonly timeMs: number
      readonly reference: string
      readonly name?: string
      readonly uri?: string
    }

export type Detail = 'columns' | 'owners' | 'description' | 'aliases'

/** For people. */
export interface RunDetails {
  readonly engine?: string
  /** What the run is for, rather than when it ran. */
  readonly nominalStartMs?: number
  readonly nominalEndMs?: number
}

export interface Statement {
  readonly query: string
  readonly dialect?: string
}
