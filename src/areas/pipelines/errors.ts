import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  no_records_accepted: {
    status: 400,
    title: 'None of the records was accepted',
    detail: 'Correct the records listed in errors and send them again.',
    about:
      'Every record of the body was refused. `rejected` counts them, and each entry of `errors` has the `line`, a stable `code` and a `message`, for the first hundred.'
  },
  no_readable_output: {
    status: 422,
    title: 'The pipeline puts nothing out that can be read here',
    detail: 'Add a series or an object sink, or read the data where the pipeline sends it.',
    about:
      'The output of a pipeline is what its `series` sinks write or, where it has none, what its `object` sinks write. Other sinks send records to systems outside.'
  },
  pipeline_busy: {
    status: 503,
    title: 'The pipeline can’t take this now',
    detail: 'Send the same again after as long as Retry-After says.',
    about:
      'The pipeline has as much under way as it may hold, or is being started again or moved to another replica. Nothing of this was taken.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
