import type { Message } from '../index.ts'

/** A message received with QoS 1 can only be acknowledged over the connection it came by. */
export class MqttMessage implements Message {
  readonly topic: string
  readonly payload: Uint8Array
  readonly key = undefined
  readonly timeMs = undefined
  readonly position = undefined
  /** How many messages came before; this is the broker's order. */
  readonly count: number
  /** 0 for QoS 0, which is not acknowledged. */
  readonly packetId: number
  readonly session: object

  constructor(packet: { topic: string; payload: Uint8Array }, count: number, packetId: number, session: object) {
    this.topic = packet.topic
    this.payload = packet.payload
    this.count = count
    this.packetId = packetId
    this.session = session
  }
}

const PUBACK_BYTES = 4

/** PUBACK packets for all of these, as one buffer; reason and properties may be left out on success. */
export function pubacks(packetIds: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(packetIds.length * PUBACK_BYTES)
  let at = 0
  for (const id of packetIds) {
    bytes[at] = 0x40
    bytes[at + 1] = 2
    bytes.writeUInt16BE(id, at + 2)
    at += PUBACK_BYTES
  }
  return bytes
}
