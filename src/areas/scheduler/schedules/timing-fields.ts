import { type Timing, TimingError, timetableOf } from '../../../engines/timetable/index.ts'
import { DURATION_FORM, parseDuration } from '../../../http/times.ts'
import { invalidField } from '../errors.ts'
import type { PreviewBody, ScheduleUpdate } from './schema.ts'

type TimingFields = Pick<
  ScheduleUpdate,
  'cron' | 'everySeconds' | 'at' | 'timeZone' | 'dst' | 'startAt' | 'endAt' | 'exclusions'
>

const KINDS = ['cron', 'everySeconds', 'at'] as const

/** What a body says about time, over what was known; refused where no timetable can be made of it. */
export function timingOf(body: TimingFields | PreviewBody, known?: Timing): Timing {
  const given = KINDS.filter((kind) => body[kind] !== undefined && body[kind] !== null)
  if (given.length > 1) throw invalidField(`/${given[1]}`, `can’t be given beside ${given[0]}: one of them says when`)
  if (
    given.length === 0 &&
    (known === undefined || KINDS.some((kind) => body[kind] === null && known[kind] !== undefined))
  ) {
    throw invalidField('/cron', 'is required, or everySeconds, or at: one of them says when')
  }
  const [kind] = given
  const when = kind === undefined ? whenOf(known as Timing) : { [kind]: body[kind] }
  const startAt = body.startAt === undefined ? known?.startAt : body.startAt
  const endAt = body.endAt === undefined ? known?.endAt : body.endAt
  const timing: Timing = {
    ...when,
    timeZone: body.timeZone ?? known?.timeZone ?? 'UTC',
    dst: body.dst ?? known?.dst ?? 'once',
    ...(startAt ? { startAt } : {}),
    ...(endAt ? { endAt } : {}),
    exclusions: (body.exclusions as Timing['exclusions'] | undefined) ?? known?.exclusions ?? []
  }
  requireTimetable(timing)
  return timing
}

function requireTimetable(timing: Timing): void {
  try {
    timetableOf(timing)
  } catch (error) {
    if (error instanceof TimingError) throw invalidField(error.pointer, error.message)
    throw error
  }
}

export function requireWindow(text: string | undefined): void {
  if (text !== undefined && parseDuration(text) === undefined)
    throw invalidField('/catchUpWindow', `must be ${DURATION_FORM}`)
}

function whenOf(known: Timing): Pick<Timing, 'cron' | 'everySeconds' | 'at'> {
  if (known.cron !== undefined) return { cron: known.cron }
  return known.everySeconds !== undefined ? { everySeconds: known.everySeconds } : { at: known.at as string }
}
