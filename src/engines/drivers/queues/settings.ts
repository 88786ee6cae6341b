import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import type { SourceConfig } from '../index.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'

/** What every queue is reached by. */
export interface QueueSettings {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly tls: boolean
  /** Certificates of authorities that are trusted instead of the usual ones, as PEM. */
  readonly ca: string | undefined
}

/** The usual port, without encryption and with it. */
export type UsualPorts = Readonly<Record<'plain' | 'tls', number>>

/** The configuration with what is usual where nothing is said. */
export function queueSettings(config: SourceConfig, { defaults }: SourceFacts, ports: UsualPorts): QueueSettings {
  const given = config as Partial<QueueSettings>
  const tls = given.tls ?? defaults.tls ?? false
  return {
    host: given.host ?? '',
    port: given.port ?? defaults.port ?? (tls ? ports.tls : ports.plain),
    user: given.user || defaults.user,
    password: given.password || undefined,
    tls,
    ca: given.ca || undefined
  }
}

/** The password goes to a host and port as a user, encrypted or not; another authority may vouch for another server. */
export function queuePlaces({ host, port, user, tls, ca }: QueueSettings): Readonly<Record<string, Place>> {
  return {
    password: {
      'host and port': [endpointText(host, port)],
      user: [user ?? ''],
      tls: [String(tls)],
      ca: [ca ?? '']
    }
  }
}

/** The fields of every queue, with those of its own between where it is and how to sign in. */
export function queueSchema(
  { name, defaults }: SourceFacts,
  ports: UsualPorts,
  own: Readonly<Record<string, FieldSchema>> = {}
): JsonSchema {
  const properties: Record<string, FieldSchema> = {
    host: field('place', 'Host', 'Name or address of the server', {
      type: 'string',
      examples: [defaults.host ?? 'queue.plant.example'],
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s/@]+$'
    }),
    port: field('place', 'Port', `Port of the server; ${ports.plain}, or ${ports.tls} with encryption, unless given`, {
      type: 'integer',
      examples: [defaults.port ?? ports.plain],
      minimum: 1,
      maximum: 65_535
    }),
    ...own,
    user: field('sign-in', 'User', 'The name to sign in with, where one is needed; one that may only read is enough', {
      type: 'string',
      examples: ['reader'],
      maxLength: 500
    }),
    password: field('sign-in', 'Password', 'Sealed, and never shown again', {
      type: 'string',
      maxLength: 10_000,
      writeOnly: true
    }),
    tls: field('encryption', 'Encryption', 'Whether to encrypt; the certificate has to be valid for the host', {
      type: 'boolean',
      default: defaults.tls ?? false
    }),
    ca: field(
      'encryption',
      'Authority',
      'Certificates to trust instead of the public ones, as PEM, for a private one',
      {
        type: 'string',
        maxLength: 100_000,
        'x-multiline': true
      }
    )
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    type: 'object',
    additionalProperties: false,
    required: ['host'],
    properties
  }
}

type Form = FieldSchema extends infer F
  ? F extends unknown
    ? Omit<F, 'title' | 'description' | 'x-group'>
    : never
  : never

export function field(group: FieldSchema['x-group'], title: string, description: string, form: Form): FieldSchema {
  return { title, description, 'x-group': group, ...form } as FieldSchema
}
