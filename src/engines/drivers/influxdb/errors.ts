import { SourceError } from '../errors.ts'
import type { InfluxSettings } from './config.ts'

/** What the server says of a question that it did not answer. Its words quote the question, never values. */
export function fromInflux(status: number, said: string, { database, user, hasToken }: InfluxSettings): SourceError {
  if (status === 401 && hasToken) return new SourceError('wrong_credentials', 'The server refuses the token', '/token')
  if (status === 401)
    return new SourceError('wrong_credentials', 'The server refuses the user or the password', '/password')
  if (status === 403 || /not authorized|unauthorized|forbidden/i.test(said)) return denied(database, user)
  if (/(database|bucket) not found|DBRP/i.test(said))
    return new SourceError('not_found', `There is no database ${database}; check its name`, '/database')
  if (/retention policy not found/i.test(said))
    return new SourceError('not_found', 'There is no such retention policy; check its name', '/retentionPolicy')
  if (status === 429) return new SourceError('rate_limited', 'The server wants to be asked less often')
  if (status >= 500) return new SourceError('unavailable', `The server failed to answer (${status}); see its log`)
  if (status === 404)
    return new SourceError(
      'not_found',
      'What answers there has no interface for InfluxQL; check host and port',
      '/port'
    )
  return new SourceError('bad_request', `The server refuses the question (${status}): ${said}`)
}

function denied(database: string, user: string): SourceError {
  const grants = user === '' ? [] : [`GRANT READ ON ${quoted(database)} TO ${quoted(user)}`]
  const help = grants.length === 0 ? 'give it the right to read' : `an administrator can run: ${grants.join(' ')}`
  return new SourceError('missing_permission', `${user || 'It'} may not read ${database}; ${help}`, '/user', grants)
}

/** A name in InfluxQL. */
export const quoted = (name: string): string =>
  `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
