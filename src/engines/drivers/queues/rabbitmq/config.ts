import { endpointText, type Place } from '../../../places/index.ts'
import type { SourceFacts } from '../../catalogue/facts.ts'
import type { SourceConfig } from '../../index.ts'
import type { JsonSchema } from '../../schema.ts'
import { field, type QueueSettings, queuePlaces, queueSchema, queueSettings, type UsualPorts } from '../settings.ts'

export interface RabbitSettings extends QueueSettings {
  readonly vhost: string
  /** Where the management interface is; what can be read is asked there. */
  readonly managementPort: number | undefined
  /** The streams that are read, where nobody is asked. */
  readonly queues: readonly string[]
}

const PORTS: UsualPorts = { plain: 5672, tls: 5671 }
const USUAL_VHOST = '/'

export function rabbitSettings(config: SourceConfig, source: SourceFacts): RabbitSettings {
  const { vhost, managementPort, queues = [] } = config as Partial<RabbitSettings>
  return { ...queueSettings(config, source, PORTS), vhost: vhost || USUAL_VHOST, managementPort, queues }
}

/** The password goes to the management interface as well. */
export function rabbitPlaces(settings: RabbitSettings): Readonly<Record<string, Place>> {
  const { host, port, managementPort } = settings
  const ports = managementPort === undefined ? [port] : [port, managementPort]
  const endpoints = ports.map((one) => endpointText(host, one))
  return { password: { ...queuePlaces(settings).password, 'host and port': endpoints } }
}

export function rabbitSchema(source: SourceFacts): JsonSchema {
  return queueSchema(source, PORTS, {
    vhost: field('place', 'Virtual host', 'Name of the virtual host', {
      type: 'string',
      default: USUAL_VHOST,
      examples: ['plant'],
      maxLength: 255
    }),
    managementPort: field(
      'place',
      'Management port',
      'Port of the management interface, such as 15672, which lists the queues; encrypted if the rest is. Without it give queues',
      { type: 'integer', examples: [15_672], minimum: 1, maximum: 65_535 }
    ),
    queues: field(
      'reading',
      'Queues',
      'Names of the queues of the type stream to read; all that the management interface lists unless given',
      {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 255, examples: ['readings'] },
        maxItems: 1000
      }
    )
  })
}
