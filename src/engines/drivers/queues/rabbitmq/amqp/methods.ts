import { type Table, ValueReader } from './values.ts'

const method = (group: number, number: number) => group * 0x10000 + number

/** The few methods of AMQP 0-9-1 that reading needs, by their numbers. */
export const METHOD = {
  start: method(10, 10),
  startOk: method(10, 11),
  tune: method(10, 30),
  tuneOk: method(10, 31),
  open: method(10, 40),
  openOk: method(10, 41),
  close: method(10, 50),
  openChannel: method(20, 10),
  openChannelOk: method(20, 11),
  closeChannel: method(20, 40),
  closeChannelOk: method(20, 41),
  declareQueue: method(50, 10),
  declareQueueOk: method(50, 11),
  limit: method(60, 10),
  limitOk: method(60, 11),
  consume: method(60, 20),
  consumeOk: method(60, 21),
  stopConsuming: method(60, 30),
  stopConsumingOk: method(60, 31),
  deliver: method(60, 60),
  acknowledge: method(60, 80)
} as const

/** What a server may do only with clients that say that they know it: to tell why it refuses, and that a queue was deleted. */
export const CLIENT_PROPERTIES: Table = {
  product: 'Millrace',
  capabilities: { authentication_failure_close: true, consumer_cancel_notify: true }
}

/** Which method a frame holds, and what it says. */
export function methodOf(content: Buffer): { readonly method: number; readonly values: ValueReader } {
  const values = new ValueReader(content)
  return { method: values.long(), values }
}
