import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { GivenTime } from '../given-time.ts'
import { RUN_KINDS, RUN_STATES } from '../migrations.ts'

const State = OneOf(
  RUN_STATES,
  '`queued` waits its turn or for its next attempt; `skipped` by a rule; `missed` because no server was there'
)

const Link = Type.Object({
  type: Type.String({ description: 'What kind of thing ran' }),
  id: Type.String({ description: 'Which one' })
})

const runFields = {
  id: Id('sr', 'run'),
  scheduleId: Id('sch', 'schedule'),
  scheduleName: Type.String({ description: 'The name of the schedule' }),
  dueAt: Timestamp('When it was due; of a run by hand, when it was asked for'),
  kind: OneOf(RUN_KINDS, '`due` by the timetable, `manual` by hand, or of a `backfill`'),
  caughtUp: Type.Boolean({ description: 'Whether it was missed at its time and is caught up on' }),
  state: State,
  code: Nullable(Type.String({ description: 'Why, for programs' })),
  reason: Nullable(Type.String({ description: 'Why, and what to do' })),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts that have ended' }),
  nextAttemptAt: Nullable(Timestamp('When it is tried again')),
  startedAt: Nullable(Timestamp('When its first attempt began')),
  finishedAt: Nullable(Timestamp('When it was over, or was decided not to run')),
  lateMs: Nullable(Type.Integer({ description: 'How long after its due time it began' })),
  durationMs: Nullable(Type.Integer({ minimum: 0, description: 'From the beginning of its first attempt to the end' })),
  link: Nullable(Link),
  logs: Type.Array(Type.String(), { description: 'What its target had to say; the last 50 lines' }),
  count: Type.Integer({
    minimum: 1,
    description: 'Due times that this row stands for: 1, but for the sum of a long gap'
  }),
  dueUntil: Nullable(Timestamp('The last due time of such a sum')),
  backfillId: Nullable(Id('bf', 'backfill')),
  askedBy: Nullable(Type.String({ description: 'Identifier of the user who asked for it' }))
}

const example = {
  id: 'sr_01kb8y2m6ze8r4n0c5t7w9q3fd',
  scheduleId: 'sch_01kb8y2m6ze8r4n0c5t7w9q3fd',
  scheduleName: 'nightly load',
  dueAt: '2026-01-01T01:30:00.000Z',
  kind: 'due',
  caughtUp: false,
  state: 'succeeded',
  code: null,
  reason: null,
  attempts: 1,
  nextAttemptAt: null,
  startedAt: '2026-01-01T01:30:00.012Z',
  finishedAt: '2026-01-01T01:30:09.412Z',
  lateMs: 12,
  durationMs: 9400,
  link: { type: 'pipeline', id: 'run_01kb8y2m6ze8r4n0c5t7w9q3fd' },
  logs: [],
  count: 1,
  dueUntil: null,
  backfillId: null,
  askedBy: null
}

export const ScheduleRun = Type.Object(runFields, { $id: 'ScheduleRun', examples: [example] })
export type ScheduleRun = Static<typeof ScheduleRun>

export const LastRun = Type.Object({
  id: runFields.id,
  dueAt: runFields.dueAt,
  state: State,
  code: runFields.code,
  reason: runFields.reason,
  startedAt: runFields.startedAt,
  finishedAt: runFields.finishedAt
})

export const RunQuery = ListQuery(
  ['dueAt'],
  {
    state: Type.Optional(State),
    kind: Type.Optional(runFields.kind),
    code: Type.Optional(Type.String({ maxLength: 64, description: 'Only runs with this code' })),
    from: Type.Optional(Timestamp('Only what was due then or later')),
    to: Type.Optional(Timestamp('Only what was due before'))
  },
  '-dueAt'
)
export type RunQuery = Static<typeof RunQuery>
export const RunPage = Page('runs', ScheduleRun)

export const RunParams = Params('schedule', 'id', {
  id: Type.String({ maxLength: 64 }),
  runId: Type.String({ maxLength: 64 })
})

export const BackfillBody = Closed(
  {
    from: GivenTime('The first due time, or before it'),
    to: GivenTime('After the last due time'),
    overlap: Type.Optional(
      OneOf(['queue', 'allow'], '`queue` runs one after the other (if not said), `allow` up to four at once')
    ),
    only: Type.Optional(
      OneOf(['missing', 'all'], '`missing` leaves out due times that have a run that succeeded (if not said)')
    )
  },
  { $id: 'BackfillRequest' }
)
export type BackfillBody = Static<typeof BackfillBody>

export const Backfill = Type.Object(
  {
    id: Nullable(Id('bf', 'backfill')),
    dryRun: Type.Boolean({ description: 'Whether this only says what would run' }),
    count: Type.Integer({ minimum: 0, description: 'Due times that run' }),
    leftOut: Type.Integer({ minimum: 0, description: 'Due times that have a run that succeeded, or are excluded' }),
    dueTimes: Type.Array(Timestamp('A due time'), { description: 'The first hundred that run' })
  },
  { $id: 'Backfill' }
)
export type Backfill = Static<typeof Backfill>
