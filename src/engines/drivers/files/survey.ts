import type { Pattern } from './pattern.ts'
import type { FilePlace, FoundFile } from './place.ts'
import { compareFiles, isAhead, type Position } from './position.ts'

/** Files that are held at a time, however many there are. */
const MAX_HELD = 10_000
/** Files whose beginnings tell the columns: the oldest one, and these newest. */
const NEWEST = 2

export interface Survey {
  readonly total: number
  /** What columns are taken from, the newest first. */
  readonly samples: readonly FoundFile[]
  /** What is to be read, in order; the first of them where there are more. */
  readonly ahead: readonly FoundFile[]
  readonly isCut: boolean
}

interface Wanted {
  readonly after: Position | undefined
  /** Files that were changed later are left for the next time: they may still be written. */
  readonly untilMs: number
}

/** Looks through the files of a pattern once. */
export async function survey(
  place: FilePlace,
  pattern: Pattern,
  { after, untilMs }: Wanted,
  signal: AbortSignal
): Promise<Survey> {
  let total = 0
  let oldest: FoundFile | undefined
  let newest: FoundFile[] = []
  let ahead: FoundFile[] = []
  let isCut = false
  const cut = () => {
    ahead.sort(compareFiles)
    isCut ||= ahead.length > MAX_HELD
    ahead = ahead.slice(0, MAX_HELD)
  }
  for await (const file of place.list(pattern, signal)) {
    signal.throwIfAborted()
    total += 1
    if (oldest === undefined || compareFiles(file, oldest) < 0) oldest = file
    newest = [...newest, file].sort((a, b) => compareFiles(b, a)).slice(0, NEWEST)
    if (file.modifiedMs <= untilMs && isAhead(file, after)) ahead.push(file)
    if (ahead.length >= 2 * MAX_HELD) cut()
  }
  cut()
  const samples = oldest === undefined || newest.includes(oldest) ? newest : [...newest, oldest]
  return { total, samples, ahead, isCut }
}
