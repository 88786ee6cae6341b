import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  unknown_target: {
    status: 422,
    title: 'There is no target of this type',
    detail: 'Name one of the types in targets.',
    about:
      'A schedule can only have done what an area of this server offers: `targets` lists the types, and `GET /api/scheduler/targets` describes them.'
  },
  schedule_busy: {
    status: 409,
    title: 'A run of the schedule is under way',
    detail: 'Wait for it to end, cancel it, or choose another overlap rule.',
    about:
      'The overlap rule of the schedule is `skip`, so that no second run begins beside the first; `runId` names the one under way and `state` how far it is.'
  },
  run_ended: {
    status: 409,
    title: 'The run has ended',
    detail: 'Only a run that waits or is under way can be cancelled.',
    about: 'What has ended can’t be cancelled any more; `currentState` says how it ended.'
  },
  too_many_due_times: {
    status: 422,
    title: 'Too many due times',
    detail: 'Ask for a shorter time.',
    about:
      'A backfill takes at most 10,000 due times. `limit` says so, and `count` how many there are, where they were counted to the end. Divide the time, and begin the next part when the first is done.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
