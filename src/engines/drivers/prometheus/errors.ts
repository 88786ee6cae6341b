import { SourceError } from '../errors.ts'

/** What the server says of a question that it did not answer. */
export function fromPrometheus(status: number, said: string): SourceError {
  switch (status) {
    case 401:
      return new SourceError('wrong_credentials', 'The server refuses the user or the password', '/password')
    case 403:
      return new SourceError(
        'missing_permission',
        'The user may not ask the server; give it the right to query',
        '/user'
      )
    case 404:
    case 405:
      return new SourceError('not_found', 'What answers there has no such interface; check port and path', '/path')
    case 429:
      return new SourceError('rate_limited', 'The server wants to be asked less often')
    case 400:
      return new SourceError('bad_request', `The server refuses the question: ${said}`)
    default:
      return new SourceError('unavailable', `The server failed to answer (${status}); see its log`)
  }
}
