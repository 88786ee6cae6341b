import type { Step } from '../index.ts'
import type { Pattern } from './pattern.ts'

/** Where files lie: a server, a bucket. Errors are `SourceError`s, or the reason of the signal. */
export interface FilePlace {
  /** What comes before listing: whether it can be reached and entered. */
  readonly steps: readonly Step[]
  /** All files that fit a pattern, in any order. */
  list(pattern: Pattern, signal: AbortSignal): AsyncIterable<FoundFile>
  /** The bytes of a file, from its beginning. Ending the iteration ends it there too. */
  open(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Commands that let the user read this file, for an administrator; none where the place has no such. */
  grantsFor(path: string): readonly string[]
  close(): Promise<void>
}

export interface FoundFile {
  readonly path: string
  readonly modifiedMs: number
  /** Whether the place does not tell when it was changed, and the time is made up. */
  readonly isUntold?: true
}
