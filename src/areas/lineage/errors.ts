import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  no_events_accepted: {
    status: 400,
    title: 'None of the events was accepted',
    detail: 'Correct the events listed in errors and send them again.',
    about:
      'Every event of the request was refused. `rejected` counts them, and each entry of `errors` has the `position` of the event among those that were sent, a stable `code`, a JSON `pointer` into the event and a `message`, for the first hundred.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
