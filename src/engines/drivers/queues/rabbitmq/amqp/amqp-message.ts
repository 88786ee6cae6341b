import { BadFrame, ValueReader } from './values.ts'

/** Properties of a message in the order of their bits, from the highest down, as the management interface names them. */
const PROPERTIES = [
  ['content_type', 'text'],
  ['content_encoding', 'text'],
  ['headers', 'table'],
  ['delivery_mode', 'octet'],
  ['priority', 'octet'],
  ['correlation_id', 'text'],
  ['reply_to', 'text'],
  ['expiration', 'text'],
  ['message_id', 'text'],
  ['timestamp', 'time'],
  ['type', 'text'],
  ['user_id', 'text'],
  ['app_id', 'text'],
  ['cluster_id', 'text']
] as const

/** A message that was delivered. */
export interface AmqpMessage {
  /** Whom it was delivered to. */
  readonly consumer: string
  /** What acknowledges it. */
  readonly tag: bigint
  readonly exchange: string
  readonly routingKey: string
  /** Names and values, without the headers. */
  readonly properties: readonly (readonly [name: string, value: unknown])[]
  readonly headers: readonly (readonly [name: string, value: unknown])[]
  readonly seconds: number | undefined
  /** Null where it is larger than may be held. */
  readonly body: Buffer | null
}

export type Envelope = Pick<AmqpMessage, 'consumer' | 'tag' | 'exchange' | 'routingKey'>

export function readEnvelope(values: ValueReader): Envelope {
  const consumer = values.shortText()
  const tag = values.longLong()
  values.octet() // whether it was delivered before
  return { consumer, tag, exchange: values.shortText(), routingKey: values.shortText() }
}

export interface ContentHeader extends Pick<AmqpMessage, 'properties' | 'headers' | 'seconds'> {
  readonly bytes: bigint
}

export function readContentHeader(content: Buffer): ContentHeader {
  const values = new ValueReader(content, 4)
  const bytes = values.longLong()
  const flags = values.short()
  if ((flags & 1) !== 0) throw new BadFrame('a message has properties that nobody knows')
  const properties: [string, unknown][] = []
  let headers: ContentHeader['headers'] = []
  let seconds: number | undefined
  for (const [index, [name, kind]] of PROPERTIES.entries()) {
    if ((flags & (0x8000 >> index)) === 0) continue
    if (kind === 'table') headers = values.table()
    else if (kind === 'time') seconds = Number(values.longLong())
    else properties.push([name, kind === 'text' ? values.shortText() : values.octet()])
  }
  return { bytes, properties, headers, seconds }
}
