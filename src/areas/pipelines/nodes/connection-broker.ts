import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'

/** Parts of the configuration of nodes that speak to brokers. */

const common = {
  hosts: Type.Array(
    Type.String({ minLength: 1, maxLength: 260, pattern: '^[^\\s/@]+$', description: '`host` or `host:port`' }),
    { minItems: 1, maxItems: 20, description: 'Where the broker is; of several, the first that answers is used' }
  ),
  tls: Type.Optional(Type.Boolean({ description: 'Whether the connection is encrypted; it is not unless said' })),
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The name to sign in with' })),
  password: Type.Optional(Type.String({ maxLength: 10_000, description: 'The password; never shown again' }))
}

const describe = { description: 'The broker and how to sign in' }

export const BrokerConnection = Closed(common, describe)

export const KafkaConnection = Closed(
  {
    ...common,
    sasl: Type.Optional(
      OneOf(['plain', 'scram-sha-256', 'scram-sha-512'], 'How user and password are shown; `plain` unless said')
    )
  },
  describe
)
export type BrokerConnection = Static<typeof KafkaConnection>

export const Topics = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 1000, description: 'A topic' }), {
    minItems: 1,
    maxItems: 100,
    description
  })
