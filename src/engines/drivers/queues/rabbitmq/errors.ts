import { tlsError } from '../../common/tls.ts'
import { SourceError } from '../../errors.ts'
import { AmqpRefusal, AmqpSilence } from './amqp/refusals.ts'
import { BadFrame } from './amqp/values.ts'
import type { RabbitSettings } from './config.ts'

const MAX_TOLD = 300

/** What a server says, or that it says nothing. */
export function toRabbitError(error: unknown, settings: RabbitSettings): unknown {
  if (!(error instanceof Error) || error instanceof SourceError || error instanceof TypeError) return error
  if (error instanceof AmqpRefusal) return refused(error, settings)
  if (error instanceof AmqpSilence) return silent(error)
  if (error instanceof BadFrame) return otherProtocol()
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return error
  if (code === 'ECONNREFUSED') return new SourceError('unreachable', 'Nothing accepts connections there', '/port')
  return tlsError(code) ?? new SourceError('unavailable', `The connection was lost (${code}); try again`, '/host')
}

function refused({ code, message }: AmqpRefusal, settings: RabbitSettings): SourceError {
  const said = message.slice(0, MAX_TOLD)
  switch (code) {
    case 403:
      return /login was refused/i.test(message)
        ? new SourceError('wrong_credentials', 'User or password are wrong; check both', '/password')
        : missingRight(settings)
    case 404:
      // A server that has just started, or a node of a cluster that is gone.
      if (/is down or inaccessible/.test(message)) return unavailable(said)
      return new SourceError('not_found', `There is no such queue in this virtual host (${said})`)
    case 406:
      return /invalid arg 'x-stream-offset'/.test(message) ? noStream() : badRequest(said)
    case 530:
      if (/vhost .* not found/.test(message)) {
        return new SourceError('not_found', 'There is no virtual host of this name', '/vhost')
      }
      return /access to vhost .* refused/.test(message) ? missingRight(settings) : unavailable(said)
    case 320:
    case 506:
    case 541:
      return unavailable(said)
  }
  return badRequest(said)
}

const badRequest = (said: string) => new SourceError('bad_request', `The server refused what was asked (${said})`)
const unavailable = (said: string) => new SourceError('unavailable', `The server can't go on now (${said}); try again`)

/** Reading such a queue would not be looking: what it delivers is marked as delivered, and moves, or is dropped after some times. */
export const noStream = () =>
  new SourceError(
    'bad_request',
    'This queue is no stream, and whoever reads it takes messages from its consumers; bind a queue of the type stream to the same exchange, and read that'
  )

function missingRight({ user = '', vhost }: RabbitSettings): SourceError {
  const grant = `rabbitmqctl set_permissions -p ${quoted(vhost)} ${quoted(user)} '^$' '^$' '.*'`
  return new SourceError(
    'missing_permission',
    `${user} may not read queues of this virtual host; an administrator can run this, which replaces the rights that ${user} has there: ${grant}`,
    '/user',
    [grant]
  )
}

/** For the management interface. */
export function missingTag({ user = '' }: RabbitSettings): SourceError {
  const grant = `rabbitmqctl set_user_tags ${quoted(user)} management`
  return new SourceError(
    'missing_permission',
    `${user} may not use the management interface; an administrator can run: ${grant}`,
    '/user',
    [grant]
  )
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function silent({ how, wasUnderstood }: AmqpSilence): SourceError {
  if (how === 'late') return new SourceError('timeout', 'The server was silent for too long; try again', '/host')
  return wasUnderstood ? new SourceError('unavailable', 'The server hung up; try again', '/host') : otherProtocol()
}

const otherProtocol = () =>
  new SourceError('unavailable', 'What answers there does not speak AMQP 0-9-1; check the port', '/port')
