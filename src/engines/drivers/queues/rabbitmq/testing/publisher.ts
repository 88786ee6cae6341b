import { once } from 'node:events'
import { connect } from 'node:net'
import type { RabbitMq } from '../../../../../../test/support/servers/rabbitmq.ts'
import { encodeFrame, FrameCutter, KIND } from '../amqp/frames.ts'
import { METHOD, methodOf } from '../amqp/methods.ts'
import { long, longLong, longText, octet, short, shortText, type Table, table } from '../amqp/values.ts'

const CHANNEL = 1
const BASIC = 60
const SELECT_CONFIRMS = 85 * 0x10000 + 10
const SELECT_CONFIRMS_OK = 85 * 0x10000 + 11
const PUBLISH = BASIC * 0x10000 + 40
const BODY_BYTES = 100_000
/** Messages that are written before the server has to take some. */
const BATCH = 5000

export interface Published {
  readonly body: string | Uint8Array
  readonly headers?: Table
  readonly contentType?: string
  readonly seconds?: bigint
}

/** Publishes messages to an exchange, and answers when the server has taken all of them. */
export async function publish(
  { port, user, password }: RabbitMq,
  { exchange = '', routingKey }: { readonly exchange?: string; readonly routingKey: string },
  count: number,
  messageAt: (index: number) => Published
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  const frames = new FrameCutter()
  let taken = 0
  let wake = () => {}
  const answered = new Set<number>()
  socket.on('data', (bytes: Buffer) => {
    frames.add(bytes)
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
      if (frame.kind !== KIND.method) continue
      const { method, values } = methodOf(frame.content)
      if (method === METHOD.acknowledge) taken = Number(values.longLong())
      answered.add(method)
    }
    wake()
  })
  const failed = new Promise<never>((_, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server hung up on the publisher')))
  })
  const until = async (isDone: () => boolean) => {
    while (!isDone()) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, failed])
    }
  }
  const write = (channel: number, method: number, ...content: Buffer[]) =>
    socket.write(encodeFrame(KIND.method, channel, Buffer.concat([long(method), ...content])))

  try {
    await Promise.race([once(socket, 'connect'), failed])
    socket.write('AMQP\0\0\x09\x01')
    write(0, METHOD.startOk, table({}), shortText('PLAIN'), longText(`\0${user}\0${password}`), shortText('en_US'))
    await until(() => answered.has(METHOD.tune))
    write(0, METHOD.tuneOk, short(1), long(131_072), short(0))
    write(0, METHOD.open, shortText('/'), shortText(''), octet(0))
    write(CHANNEL, METHOD.openChannel, shortText(''))
    write(CHANNEL, SELECT_CONFIRMS, octet(0))
    await until(() => answered.has(SELECT_CONFIRMS_OK))
    const envelope = Buffer.concat([long(PUBLISH), short(0), shortText(exchange), shortText(routingKey), octet(0)])
    const opening = encodeFrame(KIND.method, CHANNEL, envelope)
    for (let first = 0; first < count; first += BATCH) {
      const last = Math.min(count, first + BATCH)
      const batch: Buffer[] = []
      for (let index = first; index < last; index++) batch.push(opening, ...contentFrames(messageAt(index)))
      socket.write(Buffer.concat(batch))
      await until(() => taken >= last - BATCH)
    }
    await until(() => taken >= count)
  } finally {
    failed.catch(() => {})
    socket.destroy()
  }
}

function contentFrames({ body, headers, contentType, seconds }: Published): Buffer[] {
  const bytes = Buffer.from(body)
  const flags =
    (contentType === undefined ? 0 : 0x8000) | (headers === undefined ? 0 : 0x2000) | (seconds === undefined ? 0 : 0x40)
  const header = Buffer.concat([
    short(BASIC),
    short(0),
    longLong(BigInt(bytes.length)),
    short(flags),
    ...(contentType === undefined ? [] : [shortText(contentType)]),
    ...(headers === undefined ? [] : [table(headers)]),
    ...(seconds === undefined ? [] : [longLong(seconds)])
  ])
  const frames = [encodeFrame(KIND.header, CHANNEL, header)]
  for (let at = 0; at < bytes.length; at += BODY_BYTES) {
    frames.push(encodeFrame(KIND.body, CHANNEL, bytes.subarray(at, at + BODY_BYTES)))
  }
  return frames
}
