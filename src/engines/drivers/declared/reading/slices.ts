import type { CursorEntry } from '../entry.ts'
import type { Outgoing } from '../outgoing.ts'
import { withParam } from '../paging/paging.ts'
import type { Scope } from '../template/template.ts'
import { shifted } from './durations.ts'
import { printTime } from './times.ts'

/** A value of a cursor: a moment in milliseconds since 1970, or a number of the service's own. */
export interface Mark {
  readonly at: number
  readonly isTime: boolean
}

/** What is asked for at once: a stretch of time, which may have no beginning. */
export interface Slice {
  readonly from: Mark | undefined
  /** Where the next one begins, or the end of all. */
  readonly untilMs: number
  readonly isLast: boolean
}

export function sliceFrom(from: Mark | undefined, endMs: number, cursor: CursorEntry | undefined): Slice {
  const step = from?.isTime === true ? cursor?.step : undefined
  const next = step === undefined || from === undefined ? endMs : shifted(from.at, step)
  const isLast = step === undefined || next >= endMs || next <= (from?.at ?? 0)
  return { from, untilMs: isLast ? endMs : next, isLast }
}

/** What templates know of a slice: `{slice.start}` and `{slice.end}`, and the names that are not sent by themselves. */
export function sliceScope({ from, untilMs }: Slice, cursor: CursorEntry): Scope {
  const { since, until, format } = cursor
  const start = from && printMark(from, since?.format ?? format)
  const end = printTime(untilMs, until?.format ?? format)
  return {
    slice: { start, end },
    ...(since?.in === 'template' && { [since.param]: start }),
    ...(until?.in === 'template' && { [until.param]: end })
  }
}

/** The request for a slice. */
export function sliceRequest(request: Outgoing, { from, untilMs }: Slice, cursor: CursorEntry | undefined): Outgoing {
  let asked = request
  const { since, until, format } = cursor ?? {}
  if (since !== undefined && from !== undefined) {
    asked = withParam(asked, since.in ?? 'query', since.param, printMark(from, since.format ?? format))
  }
  if (until !== undefined && from?.isTime !== false) {
    asked = withParam(asked, until.in ?? 'query', until.param, printTime(untilMs, until.format ?? format))
  }
  return asked
}

const printMark = ({ at, isTime }: Mark, format: string | undefined): string =>
  isTime ? printTime(at, format) : String(at)
