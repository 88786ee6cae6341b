import { systemClock } from '../../clock.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound } from '../../outbound/index.ts'
import type { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead, StreamValue } from '../index.ts'
import { pointsChunk, pointsStream, refuseCursor, refuseEqualNames, unknownStream } from '../machines/records.ts'
import { fromOutbound, reachSteps } from '../reach.ts'
import { type Block, blockOf, toBlocks } from './blocks.ts'
import type { ModbusSettings } from './config.ts'
import { Connection } from './connection.ts'
import { fromException, isAbsent } from './errors.ts'
import { columnTypeOf, decodeRegister, isBits, type Register, widthOf } from './registers.ts'

const STREAM = 'registers'

/** What was read, by name. */
interface Values {
  readonly found: Map<string, StreamValue>
  /** Why the first of those that are missing could not be read. */
  failure: SourceError | undefined
}

/** Each time it is read, the registers of the configuration are, and are one record. */
export class ModbusSource implements OpenSource {
  readonly #settings: ModbusSettings
  readonly #outbound: Outbound
  readonly #stream: Stream
  #connection: Connection | undefined

  constructor(settings: ModbusSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
    const columns = settings.registers.map((register) => ({ name: register.name, type: columnTypeOf(register) }))
    this.#stream = pointsStream(STREAM, columns)
  }

  get steps(): readonly Step[] {
    const read: Step = {
      name: 'read',
      run: async (signal) => {
        const { found, failure } = await this.#values(signal)
        if (failure !== undefined) throw failure
        return `${found.size} register${found.size === 1 ? '' : 's'} can be read`
      }
    }
    return [...reachSteps(this.#settings, this.#outbound), read]
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    await this.#values(signal)
    return { streams: [this.#stream].slice(0, limit), isWhole: limit > 0 }
  }

  /** A register that the device does not have is empty, unless it has none of them. */
  async *read({ stream, cursor, signal }: StreamRead): AsyncGenerator<StreamChunk> {
    if (stream !== STREAM) throw unknownStream(stream)
    refuseCursor(cursor)
    const { found, failure } = await this.#values(signal)
    if (failure !== undefined && found.size === 0) throw failure
    const values = this.#settings.registers.map(({ name }) => found.get(name) ?? null)
    yield pointsChunk(this.#stream, values, systemClock.now())
  }

  async close(): Promise<void> {
    this.#connection?.close()
  }

  async #values(signal: AbortSignal): Promise<Values> {
    const { registers } = this.#settings
    refuseEqualNames(
      registers.map(({ name }) => name),
      '/registers'
    )
    const connection = await this.#connect(signal)
    const values: Values = { found: new Map(), failure: undefined }
    try {
      for (const block of toBlocks(registers)) await readBlock(connection, block, values, signal)
    } finally {
      connection.close()
      this.#connection = undefined
    }
    return values
  }

  /** Devices serve few connections: none is kept between reads. */
  async #connect(signal: AbortSignal): Promise<Connection> {
    const { host, port, unit } = this.#settings
    const { address } = await this.#outbound.resolve(host, port).catch((error) => {
      throw error instanceof OutboundError ? fromOutbound(error) : error
    })
    this.#connection = await Connection.open(address, port, unit, signal)
    return this.#connection
  }
}

/** Where a device refuses a block, one of its registers may be at fault: the others are read by themselves. */
async function readBlock(connection: Connection, block: Block, values: Values, signal: AbortSignal): Promise<void> {
  const answer = await connection.ask(block, signal)
  if ('bytes' in answer) {
    for (const register of block.registers) values.found.set(register.name, valueIn(answer.bytes, block, register))
    return
  }
  const failure = fromException(answer.exception, block)
  if (!isAbsent(answer.exception)) throw failure
  if (block.registers.length === 1) {
    values.failure ??= failure
    return
  }
  for (const register of block.registers) await readBlock(connection, blockOf(register), values, signal)
}

function valueIn(bytes: Uint8Array, { address: start, table }: Block, register: Register): StreamValue {
  const at = register.address - start
  if (isBits(table)) return (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) === 1
  return decodeRegister(register, bytes.subarray(at * 2, (at + widthOf(register)) * 2))
}
