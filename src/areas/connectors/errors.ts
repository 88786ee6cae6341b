import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  source_failed: {
    status: 502,
    title: 'The connected system did not do as asked',
    detail: 'See `cause` for why, and POST …/test for which step it fails at.',
    about:
      'The connector is as it should be, and the system that it leads to refused, failed or did not answer. `cause` is a stable code, such as `wrong_credentials` or `unreachable`.'
  },
  unreadable_stream: {
    status: 422,
    title: 'The stream can’t be read',
    detail: 'See what the connected system says of it, and mend it there.',
    about:
      'The connected system answers, and fails while it reads this stream: a view that is broken, or a value that it can’t show.'
  },
  secrets_unreadable: {
    status: 409,
    title: 'The secrets of the connector can’t be opened',
    detail:
      'They were sealed under a SECRET_KEY that this server does not have. Start it with that key as one of SECRET_KEY, or send the secrets again with PUT.',
    about:
      'What is secret in a configuration is sealed with the secret of the server. With another one, or where a row was altered or moved, it can’t be opened, and the system can’t be called. `PUT /api/connectors/{id}` with a configuration that has its secrets in it seals them anew.'
  },
  sample_too_large: {
    status: 422,
    title: 'The records are more than an answer holds',
    detail: 'Ask for fewer records, or have a pipeline read the stream.',
    about:
      'A look at a stream by a cursor answers all records that have the same value as the last, so that none is missed; here they are too many or too large.'
  },
  unknown_stream: {
    status: 404,
    title: 'There is no such stream',
    detail: 'POST …/discover tells what can be read.',
    about:
      'The connected system has no table, view or the like of this name, or the user of the connector may not see it.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
