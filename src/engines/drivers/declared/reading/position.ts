import { createHash } from 'node:crypto'
import { jsonText } from '../../common/values.ts'
import { SourceError } from '../../errors.ts'
import type { PageToken } from '../paging/next.ts'
import type { Mark } from './slices.ts'

/** What a position may weigh: it is kept with every step of a pipeline. */
const MAX_LENGTH = 60_000
/** What is in a position beside hashes and tokens. */
const FRAME = 300
const HASH_BYTES = 5
const HASH_LENGTH = 7

/** Where reading is in one list: that of the stream, or that of a parent. */
export interface ListPosition {
  /** Where its slice begins; that of the whole read unless said. */
  readonly from?: Mark | undefined
  readonly page?: PageToken | undefined
  /** So many records of the page are done. */
  readonly done: number
  /** Of a parent whose children are under way: its hash. */
  readonly parent?: string | undefined
}

/** A read that was not over. */
export interface RunPosition {
  /** Up to where it goes. */
  readonly endMs: number
  /** The lists within each other, the outermost first. */
  readonly lists: readonly ListPosition[]
  readonly high: Mark | undefined
  /** Records with the greatest value so far. */
  readonly highSeen: readonly string[]
  /** Records that the next slice may have once more. */
  readonly overlap: readonly string[]
  readonly later: readonly string[]
  /** Those that were come to. */
  readonly parents: readonly string[]
}

export interface Position {
  /** Up to here all is read; undefined before the first read is over. */
  readonly max: Mark | undefined
  /** Records with that value, which come again because services are asked "since" and not "after". */
  readonly seen: readonly string[]
  /** Records whose time had not come yet, by the clock of who read them; reading does not go on from such a time. */
  readonly later: readonly string[]
  /** Parents whose records were read; of any other all is read. */
  readonly parents: readonly string[]
  readonly run: RunPosition | undefined
}

export const START: Position = { max: undefined, seen: [], later: [], parents: [], run: undefined }

/** What a record is known by: short, and hardly ever the same for two. */
export function hashOf(value: unknown): string {
  const text = jsonText(value) ?? 'null'
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('base64url')
}

/** As compact JSON. Where there are too many hashes some are left out: those records come again, and none is lost. */
export function positionText({ max, seen, later, parents, run }: Position): string {
  const lists = run?.lists.map(({ from, page, done, parent }) => [markParts(from), page ?? null, done, parent ?? null])
  const bare = JSON.stringify(lists ?? []).length + FRAME
  const room = Math.max(0, Math.floor((MAX_LENGTH - bare) / HASH_LENGTH))
  const some = (hashes: readonly string[], share: number) => hashes.slice(0, Math.floor(room * share)).join('')
  const ofParents = parents.length > 0 && { parents: some(parents, 0.35) }
  const ofLater = later.length > 0 && { later: some(later, 0.05) }
  if (run === undefined) return JSON.stringify({ max: markParts(max), seen: some(seen, 0.3), ...ofLater, ...ofParents })
  return JSON.stringify({
    max: markParts(max),
    seen: some(seen, 0.08),
    ...ofLater,
    ...ofParents,
    end: run.endMs,
    high: markParts(run.high),
    highSeen: some(run.highSeen, 0.08),
    overlap: some(run.overlap, 0.08),
    ...(run.later.length > 0 && { runLater: some(run.later, 0.01) }),
    ...(run.parents.length > 0 && { runParents: some(run.parents, 0.35) }),
    lists
  })
}

/** A position of ours; or a value of the cursor itself, after which reading goes on. */
export function parsePosition(text: string, markOf: (value: unknown) => Mark | undefined): Position {
  if (!text.startsWith('{')) {
    const max = markOf(text) ?? (/^-?\d{1,15}(?:\.\d+)?$/.test(text) ? markOf(Number(text)) : undefined)
    if (max === undefined) throw noPosition()
    return { ...START, max }
  }
  let told: unknown
  try {
    told = JSON.parse(text.slice(0, 2 * MAX_LENGTH))
  } catch {
    throw noPosition()
  }
  const { max, seen, later, parents, end, high, highSeen, overlap, runLater, runParents, lists } = told as Partial<
    Record<string, unknown>
  >
  const at = { max: markIn(max), seen: hashesIn(seen), later: hashesIn(later), parents: hashesIn(parents) }
  if (lists === undefined) return { ...at, run: undefined }
  if (!Array.isArray(lists) || typeof end !== 'number' || !Number.isFinite(end)) throw noPosition()
  const run = {
    endMs: end,
    lists: lists.map(listIn),
    high: markIn(high),
    highSeen: hashesIn(highSeen),
    overlap: hashesIn(overlap),
    later: hashesIn(runLater),
    parents: hashesIn(runParents)
  }
  return { ...at, run }
}

const markParts = (mark: Mark | undefined) => (mark === undefined ? null : [mark.at, mark.isTime ? 't' : 'n'])

function markIn(value: unknown): Mark | undefined {
  if (value === null || value === undefined) return undefined
  const [at, kind] = Array.isArray(value) ? value : []
  if (typeof at !== 'number' || !Number.isFinite(at) || Math.abs(at) > Number.MAX_SAFE_INTEGER) throw noPosition()
  if (kind === 't' && Math.abs(at) > 8.64e15) throw noPosition()
  return { at, isTime: kind === 't' }
}

function hashesIn(value: unknown): string[] {
  return typeof value === 'string' ? (value.match(/[\w-]{7}/g) ?? []) : []
}

function listIn(value: unknown): ListPosition {
  const [from, page, done, parent] = Array.isArray(value) ? value : []
  if (!Number.isSafeInteger(done) || done < 0) throw noPosition()
  return {
    from: markIn(from),
    page: typeof page === 'string' || typeof page === 'number' ? page : undefined,
    done,
    parent: typeof parent === 'string' ? parent : undefined
  }
}

const noPosition = () =>
  new SourceError('bad_request', 'The position to go on from is none of this stream; begin again without one')
