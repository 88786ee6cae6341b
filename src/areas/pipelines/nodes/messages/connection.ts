import { type BrokerKind, defaultPort, parseEndpoints } from '../../../../engines/brokers/index.ts'
import { endpointText } from '../../../../engines/places/index.ts'
import { Closed, OneOf } from '../../../../http/schemas.ts'
import { type Static, Type } from '../../../../http/type.ts'
import { outsideData } from '../../contract/outside-data.ts'
import type { GoesTo } from '../../contract/secret-place.ts'

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

/** Where the password for a broker goes, and as whose. */
export function brokerSecrets(kind: BrokerKind) {
  const goesTo: GoesTo<{ readonly connection: BrokerConnection }> = {
    'connection.hosts': ({ connection: { hosts, tls = false } }) =>
      hosts.map((text) => placeText(text, defaultPort(kind, tls))),
    'connection.tls': ({ connection: { tls = false } }) => String(tls),
    'connection.user': ({ connection: { user = '' } }) => user,
    // In the clear, or as a proof that tells nothing.
    'connection.sasl': ({ connection: { sasl = 'plain' } }) => sasl
  }
  return { 'connection.password': goesTo }
}

function placeText(text: string, port: number): string {
  try {
    return parseEndpoints([text], port)
      .map((endpoint) => endpointText(endpoint.host, endpoint.port))
      .join()
  } catch {
    return text
  }
}

/** A topic of a broker, named as OpenLineage names those of Kafka: by the first of its hosts. */
export function topicData(kind: BrokerKind, { hosts, tls = false }: BrokerConnection, topic: string): string {
  const [first = ''] = hosts
  return outsideData(`${kind}://${whereOf(first, defaultPort(kind, tls))}`, topic)
}

function whereOf(text: string, port: number): string {
  try {
    return parseEndpoints([text], port)
      .map(({ where }) => where)
      .join()
  } catch {
    return text
  }
}

export const Topics = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 1000, description: 'A topic' }), {
    minItems: 1,
    maxItems: 100,
    description
  })
