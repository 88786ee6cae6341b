import type { ChannelKind } from './configs.ts'

/**
 * The configurations as JSON Schema, for whoever takes them from users. Closed, everything bounded; secrets, which
 * are the `secretFields`, are `writeOnly`.
 */
export const CONFIG_SCHEMAS: Readonly<Record<ChannelKind, object>> = {
  email: closed(
    {
      host: text(253, 'Mail server, by name or address'),
      port: { type: 'integer', minimum: 1, maximum: 65_535, description: '465, 587 or 25, by `tls`, unless said' },
      tls: {
        type: 'string',
        enum: ['required', 'opportunistic', 'none', 'implicit'],
        description:
          '`required` STARTTLS or nothing, `implicit` encrypted from the first byte, `opportunistic` STARTTLS if the server has it, with any certificate, `none` never'
      },
      user: text(320, 'Who signs in'),
      password: secret(1024, 'The password of the user; only with `tls` `required` or `implicit`'),
      from: text(320, 'Address of the sender'),
      to: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        items: text(320, 'Address of a recipient'),
        description: 'Who gets it; they see each other'
      }
    },
    ['host', 'tls', 'from', 'to']
  ),
  webhook: closed(
    {
      url: text(2000, 'Where messages are posted to'),
      secret: secret(1024, 'Signs each message, in the header `X-Millrace-Signature`', 16),
      previousSecret: secret(1024, 'The secret before, while receivers change; messages are signed with both', 16),
      headers: {
        type: 'object',
        maxProperties: 50,
        propertyNames: { minLength: 1, maxLength: 200 },
        additionalProperties: { type: 'string', maxLength: 10_000, description: 'Value; kept as a secret' },
        writeOnly: true,
        description: 'Headers to send, such as `authorization`; their values are never shown again'
      }
    },
    ['url']
  ),
  slack: closed({ url: secret(2000, 'Address of an incoming webhook; kept as a secret') }, ['url']),
  teams: closed({ url: secret(2000, 'Address of the webhook of a workflow; kept as a secret') }, ['url']),
  pagerduty: closed(
    {
      routingKey: secret(32, 'Integration key of an Events API v2 integration', 32),
      url: text(2000, '`https://events.pagerduty.com/v2/enqueue` unless said; accounts in Europe have another')
    },
    ['routingKey']
  ),
  ntfy: closed(
    {
      url: text(2000, 'Address of the server; `https://ntfy.sh/` unless said'),
      topic: secret(64, 'Name of the topic; on open servers it is all that a reader has to know'),
      token: secret(1024, 'Access token, where the topic is protected')
    },
    ['topic']
  ),
  telegram: closed(
    {
      token: secret(121, 'Token of the bot'),
      chatId: text(65, 'Number of the chat, or the @name of a public one'),
      url: text(2000, '`https://api.telegram.org` unless said')
    },
    ['token', 'chatId']
  )
}

function closed(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false }
}

function text(maxLength: number, description: string): object {
  return { type: 'string', minLength: 1, maxLength, description }
}

function secret(maxLength: number, description: string, minLength = 1): object {
  return { type: 'string', minLength, maxLength, writeOnly: true, description }
}
