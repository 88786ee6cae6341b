import { isBits, type Table } from './registers.ts'

/** The functions of the protocol that read, by what they read. */
const FUNCTIONS: Readonly<Record<Table, number>> = { coil: 1, discrete: 2, holding: 3, input: 4 }
const HEADER_BYTES = 7
/** Of what follows the header, as the protocol has it. */
const MAX_BODY_BYTES = 253
const EXCEPTION = 0x80

export interface Question {
  readonly table: Table
  readonly address: number
  readonly count: number
}

export type Answer = { readonly bytes: Uint8Array } | { readonly exception: number }

/** What arrived is no answer of Modbus TCP to what was asked. */
export class BadFrame extends Error {}

export function encodeQuestion({ table, address, count }: Question, unit: number, transaction: number): Uint8Array {
  const frame = Buffer.alloc(HEADER_BYTES + 5)
  frame.writeUInt16BE(transaction, 0)
  frame.writeUInt16BE(6, 4) // bytes that follow, after a zero for the protocol
  frame.writeUInt8(unit, 6)
  frame.writeUInt8(FUNCTIONS[table], 7)
  frame.writeUInt16BE(address, 8)
  frame.writeUInt16BE(count, 10)
  return frame
}

/** How many bytes the frame at the beginning has; undefined while its header is not there yet. */
export function frameBytes(received: Buffer): number | undefined {
  if (received.length < HEADER_BYTES) return undefined
  const following = received.readUInt16BE(4)
  if (received.readUInt16BE(2) !== 0 || following < 3 || following > MAX_BODY_BYTES + 1) throw new BadFrame()
  return HEADER_BYTES - 1 + following
}

export const transactionOf = (frame: Buffer): number => frame.readUInt16BE(0)

export function decodeAnswer(frame: Buffer, { table, count }: Question): Answer {
  const called = frame.readUInt8(HEADER_BYTES)
  if (called === (FUNCTIONS[table] | EXCEPTION)) return { exception: frame.readUInt8(HEADER_BYTES + 1) }
  const bytes = frame.subarray(HEADER_BYTES + 2)
  const expected = isBits(table) ? Math.ceil(count / 8) : count * 2
  if (called !== FUNCTIONS[table] || frame.readUInt8(HEADER_BYTES + 1) !== expected || bytes.length !== expected)
    throw new BadFrame()
  return { bytes }
}
