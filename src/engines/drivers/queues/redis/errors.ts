import { tlsError, unencrypted } from '../../common/tls.ts'
import { SourceError } from '../../errors.ts'
import type { RedisSettings } from './config.ts'

/** The commands that reading uses, and no others. */
const COMMANDS = [
  ...['select', 'time', 'scan', 'type', 'pttl', 'memory|usage'],
  ...['get', 'hgetall', 'lrange', 'smembers', 'zrange', 'xrange', 'xrevrange']
]

/** Whether a key has a value of another type than the command is for. */
export const isOfOtherType = (reply: unknown) => reply instanceof Error && reply.message.startsWith('WRONGTYPE')

/** Whether a server wants a password before it does anything. */
export const wantsPassword = (reply: unknown) => reply instanceof Error && reply.message.startsWith('NOAUTH')

/** What a server or the client says, by the word that its answer begins with. */
export function toRedisError(error: unknown, settings: RedisSettings): unknown {
  if (!(error instanceof Error) || error instanceof SourceError || error instanceof TypeError) return error
  const { code } = error as { code?: unknown }
  const [, word = ''] = /^([A-Z]+)\b/.exec(error.message) ?? []
  return tlsError(code) ?? byWord(word, error.message, settings) ?? unanswered(error, settings)
}

function byWord(word: string, message: string, settings: RedisSettings): SourceError | undefined {
  switch (word) {
    case 'WRONGPASS':
      return new SourceError('wrong_credentials', 'User or password are wrong; check both', '/password')
    case 'NOAUTH':
      return new SourceError('wrong_credentials', 'The server wants a password, and none is configured', '/password')
    case 'NOPERM':
      return missingRight(settings)
    case 'LOADING':
    case 'BUSY':
    case 'MASTERDOWN':
    case 'TRYAGAIN':
    case 'CLUSTERDOWN':
      return new SourceError('unavailable', `The server is up and can't answer yet (${word}); try again later`)
    case 'MOVED':
    case 'ASK':
      return new SourceError('not_found', 'This key has moved to another node of the cluster', '/host')
    case 'DENIED':
      return new SourceError('missing_permission', 'The server takes no calls from elsewhere (protected mode)', '/host')
    case 'ERR':
      return ofCommand(message)
  }
  return undefined
}

/** Errors without a word of their own. */
function ofCommand(message: string): SourceError {
  if (/DB index is out of range|invalid DB index/i.test(message)) {
    return new SourceError('not_found', 'There is no database of this number', '/database')
  }
  if (/max number of clients/i.test(message)) {
    return new SourceError('unavailable', 'The server has all the clients that it takes; try again later')
  }
  if (/AUTH/.test(message)) {
    return new SourceError(
      'wrong_credentials',
      'The server wants no password, and one is configured; leave it out, or check that this is the server that is meant',
      '/password'
    )
  }
  return new SourceError('bad_request', 'The server does not know what was asked for; it has to be Redis 6 or later')
}

function missingRight({ user = 'default', pattern }: RedisSettings): SourceError {
  const keys = /\s/.test(pattern) ? '~*' : `~${pattern}`
  const grant = `ACL SETUSER ${user} ${keys} ${COMMANDS.map((command) => `+${command}`).join(' ')}`
  return new SourceError(
    'missing_permission',
    `${user} may not read all of it; an administrator can run: ${grant}`,
    '/user',
    [grant]
  )
}

function unanswered(error: Error, { tls }: RedisSettings): SourceError {
  const { code, message } = error as { code?: unknown; message: string }
  if (tls && code === 'ECONNRESET' && /secure TLS connection/.test(message)) return unencrypted()
  if (code === 'ECONNREFUSED') return new SourceError('unreachable', 'Nothing accepts connections there', '/port')
  const hint = tls ? 'check that it is up' : 'check that it is up, and whether it wants encryption'
  return new SourceError('unavailable', `The connection was lost (${String(code ?? message)}); ${hint}`, '/host')
}
