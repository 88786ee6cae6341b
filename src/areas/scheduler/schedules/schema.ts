import { ListQuery, Page, Search } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Name, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { GivenTime } from '../given-time.ts'
import { CATCH_UPS, OVERLAPS } from '../migrations.ts'
import { LastRun } from '../runs/schema.ts'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MAX_SECONDS = 31_536_000

const Exclusion = Closed(
  {
    name: Type.Optional(Type.String({ maxLength: 100, description: 'What to call it in the history' })),
    date: Type.Optional(
      Type.String({ maxLength: 10, description: 'A day in the time zone, 2026-12-25; 12-25 is that day of every year' })
    ),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The beginning: an ISO 8601 time, a date, or of a weekly window HH:MM'
      })
    ),
    to: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The end. A date is excluded itself; a time, or HH:MM of a weekly window, is not'
      })
    ),
    days: Type.Optional(
      Type.Array(OneOf(WEEKDAYS, 'A day of the week'), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'Days of the week'
      })
    )
  },
  {
    description:
      'When not to run: one `date`; everything `from` one time `to` another; or every week on `days`, from HH:MM to HH:MM, or all day'
  }
)

const timingFields = {
  cron: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Minute, hour, day of the month, month, day of the week, with seconds before them where six are given: `0 6 * * mon-fri`. `L` is the last day, `15W` the weekday nearest to the 15th, `fri#2` the second Friday. Days of the month and of the week that are both given add up'
  }),
  everySeconds: Type.Integer({
    minimum: 1,
    maximum: MAX_SECONDS,
    description: 'So many seconds apart, counted from `startAt`, or else from 1970'
  }),
  at: GivenTime('Once, at this time'),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Of `cron`, `dst` and exclusions: `Europe/Berlin`'
  }),
  dst: OneOf(
    ['skip', 'once', 'both'],
    'What becomes of times that the clock skips or shows twice: `once` runs each once, at the end of the gap or at the first of two; `skip` leaves out those that do not exist; `both` runs at both'
  ),
  startAt: Nullable(GivenTime('Nothing is due before')),
  endAt: Nullable(GivenTime('Nothing is due from then on')),
  exclusions: Type.Array(Exclusion, { maxItems: 200, uniqueItems: true, description: 'When not to run' })
}

export const TargetBody = Closed({
  type: Type.String({ minLength: 1, maxLength: 40, description: 'One of `GET /api/scheduler/targets`' }),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The resource, where the type has one' })),
  config: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      description: 'An object as its type says. Secrets read `********`; sent back, they stay as they are'
    })
  )
})
export type TargetBody = Static<typeof TargetBody>

const ruleFields = {
  overlap: OneOf(
    OVERLAPS,
    'What happens while an earlier run is under way: `skip` this one, `queue` it, `allow` both, or `cancel` the earlier one'
  ),
  catchUp: OneOf(
    CATCH_UPS,
    'What happens to due times that no server was there for, once one is: `none` runs, the `last`, or `all` of them, one after the other'
  ),
  catchUpWindow: Type.String({
    maxLength: MAX_DURATION_CHARS,
    description: `How old a missed due time may be to be caught up on: ${DURATION_FORM}`
  }),
  jitterSeconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: 'Begins up to so much later, always the same for the same due time, so that many do not begin at once'
  }),
  retries: Type.Integer({ minimum: 0, maximum: 20, description: 'Further attempts at a run that failed' }),
  retryDelaySeconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    description: 'Before the second attempt; doubled with each further one, up to an hour'
  }),
  timeoutSeconds: Type.Integer({
    minimum: 1,
    maximum: MAX_SECONDS,
    description: 'The longest that an attempt may take'
  }),
  pauseAfterFailures: Nullable(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'So many failed runs in a row pause the schedule' })
  ),
  enabled: Type.Boolean({ description: 'Whether due times run; while paused, each is in the history as skipped' })
}

const Pause = Type.Object({
  at: Timestamp('Since when'),
  by: Nullable(Type.String({ description: 'Identifier of the user; null where failures paused it' })),
  cause: OneOf(['user', 'failures'], 'Who or what paused it'),
  note: Type.String({ description: 'Why' })
})
export type Pause = Static<typeof Pause>

const ScheduleName = Name('What people call it')
const Description = Type.String({ maxLength: 2000, description: 'What it is for' })

export const Schedule = Type.Object(
  {
    id: Id('sch', 'schedule'),
    name: ScheduleName,
    description: Description,
    cron: Nullable(timingFields.cron),
    everySeconds: Nullable(timingFields.everySeconds),
    at: Nullable(timingFields.at),
    timeZone: timingFields.timeZone,
    dst: timingFields.dst,
    startAt: timingFields.startAt,
    endAt: timingFields.endAt,
    exclusions: timingFields.exclusions,
    target: Type.Object({
      type: Type.String({ description: 'What is done' }),
      id: Nullable(Type.String({ description: 'The resource, where the type has one' })),
      config: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
    }),
    ...ruleFields,
    pause: Nullable(Pause),
    owner: Type.String({ description: 'Identifier of the user with whose rights it runs: who changed it last' }),
    failures: Type.Integer({ minimum: 0, description: 'Runs that failed one after the other, up to now' }),
    nextRuns: Type.Array(Timestamp('A due time'), {
      description: 'The next five, exclusions left out, without jitter'
    }),
    lastRun: Nullable(LastRun),
    version: Version,
    createdAt: Timestamp('When it was made'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'Schedule',
    examples: [
      {
        id: 'sch_01kb8y2m6ze8r4n0c5t7w9q3fd',
        name: 'nightly load',
        description: '',
        cron: '30 2 * * *',
        everySeconds: null,
        at: null,
        timeZone: 'Europe/Berlin',
        dst: 'once',
        startAt: null,
        endAt: null,
        exclusions: [{ name: 'holiday', date: '12-25' }],
        target: { type: 'pipeline', id: 'pl_01kb8y2m6ze8r4n0c5t7w9q3fd', config: {} },
        overlap: 'skip',
        catchUp: 'last',
        catchUpWindow: '1d',
        jitterSeconds: 0,
        retries: 0,
        retryDelaySeconds: 60,
        timeoutSeconds: 86_400,
        pauseAfterFailures: null,
        enabled: true,
        pause: null,
        owner: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
        failures: 0,
        nextRuns: ['2026-01-02T01:30:00.000Z'],
        lastRun: null,
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Schedule = Static<typeof Schedule>

const optional = <T extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])) as {
    [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>>
  }

const { cron, everySeconds, at, ...aboutTime } = timingFields

export const ScheduleCreate = Closed(
  {
    name: ScheduleName,
    description: Type.Optional(Description),
    ...optional({ cron, everySeconds, at }),
    ...optional(aboutTime),
    target: TargetBody,
    ...optional(ruleFields)
  },
  {
    $id: 'ScheduleCreate',
    description:
      'One of `cron`, `everySeconds` and `at` says when. Without the rest: UTC, `dst` once, `overlap` skip, `catchUp` last within `1d`, no jitter, no retries, a limit of a day.'
  }
)
export type ScheduleCreate = Static<typeof ScheduleCreate>

export const ScheduleUpdate = Closed(
  {
    ...optional({ name: ScheduleName, description: Description, target: TargetBody }),
    ...optional({ cron: Nullable(cron), everySeconds: Nullable(everySeconds), at: Nullable(at) }),
    ...optional(aboutTime),
    ...optional(ruleFields)
  },
  {
    $id: 'ScheduleUpdate',
    description: 'One of `cron`, `everySeconds` and `at` takes the place of the one that was there.'
  }
)
export type ScheduleUpdate = Static<typeof ScheduleUpdate>

/** Also null, for requests without a body. */
export const PauseBody = Nullable(
  Closed({ note: Type.Optional(Type.String({ maxLength: 1000, description: 'Why it is paused' })) })
)

const COUNT = Type.Integer({ minimum: 1, maximum: 100, description: 'How many due times; 20 if not said' })

export const PreviewBody = Closed(
  {
    ...optional({ cron, everySeconds, at }),
    ...optional(aboutTime),
    ...optional({ from: GivenTime('From when on; now if not said'), count: COUNT })
  },
  { $id: 'SchedulePreviewRequest' }
)
export type PreviewBody = Static<typeof PreviewBody>

export const Preview = Type.Object(
  {
    dueTimes: Type.Array(
      Type.Object({
        at: Timestamp('When it is due'),
        local: Type.String({ description: 'The same in the time zone, with its offset' }),
        effect: Nullable(
          OneOf(
            ['moved', 'first-of-two', 'second-of-two', 'only-first'],
            'What the change of the clock does: `moved` to the end of the hour that is skipped; one of two that the clock shows alike'
          )
        ),
        excluded: Nullable(Type.String({ description: 'Which exclusion keeps it from running' }))
      })
    )
  },
  { $id: 'SchedulePreview' }
)
export type Preview = Static<typeof Preview>

export const TargetList = Type.Object(
  {
    targets: Type.Array(
      Type.Object({
        type: Type.String(),
        about: Type.String({ description: 'What it does' }),
        resource: Nullable(
          Type.String({ description: 'The kind of resource that `id` names; null where it takes none' })
        ),
        permissions: Type.Array(Type.String({ description: 'What the owner of the schedule must be allowed to do' })),
        config: Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'The JSON Schema of `config`'
        })
      })
    )
  },
  { $id: 'ScheduleTargets' }
)

export const ScheduleParams = Params('schedule', 'id', { id: Type.String({ maxLength: 64 }) })
export const ScheduleQuery = ListQuery(['name', 'createdAt'], {
  q: Search,
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it is paused or not' })),
  failing: Type.Optional(Type.Boolean({ description: 'Whether its last run failed' })),
  targetType: Type.Optional(Type.String({ maxLength: 40, description: 'The type of the target' })),
  targetId: Type.Optional(Type.String({ maxLength: 64, description: 'The resource that the target names' }))
})
export type ScheduleQuery = Static<typeof ScheduleQuery>
export const SchedulePage = Page('schedules', Schedule)
