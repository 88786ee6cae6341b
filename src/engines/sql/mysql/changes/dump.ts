import { hash } from 'node:crypto'
import { Arrivals } from '../../changes/arrivals.ts'
import { SqlError } from '../../errors.ts'
import type { MysqlConnection } from '../connection.ts'
import { fromMysql } from '../errors.ts'

const HEADER_BYTES = 19
const SUM_BYTES = 4
/** The kind of event that every file begins with; the byte before its own sum says whether the others have one. */
const FORMAT = 15
const DUMP = 0x12
const [END_OF_DATA, ERROR] = [0xfe, 0xff]

export interface LogEvent {
  readonly kind: number
  /** Seconds since 1970. */
  readonly time: number
  /** Where it begins and ends in its file; 0 where it is in none. */
  readonly startAt: number
  readonly endAt: number
  readonly body: Buffer
}

/** What the driver hands to a command of its own: the packet, and itself. */
interface Packet {
  readonly buffer: Buffer
  readonly offset: number
  readonly end: number
  asError(encoding: string): unknown
}

interface Client {
  readonly clientEncoding: string
  _resetSequenceId(): void
  writePacket(packet: object): void
}

const SETTINGS = [
  // A server sends its log to nobody who does not know of the sums at the end of events.
  '@master_binlog_checksum = @@global.binlog_checksum',
  // To MariaDB: transactions begin with an event that says so.
  '@mariadb_slave_capability = 4',
  'net_write_timeout = 3600'
]

/** The log of a server from a place on, as a replica gets it. */
export class Dump {
  readonly #connection: MysqlConnection
  readonly #arrivals: Arrivals<LogEvent>
  #hasSums: boolean

  private constructor(connection: MysqlConnection, hasSums: boolean) {
    this.#connection = connection
    this.#hasSums = hasSums
    this.#arrivals = new Arrivals(connection)
  }

  static async open(connection: MysqlConnection, reader: string, file: string, at: number): Promise<Dump> {
    await connection.command(`SET ${SETTINGS.join(', ')}`)
    const [setting] = await connection.run('SELECT @@global.binlog_checksum')
    const dump = new Dump(connection, setting?.[0] !== 'NONE')
    let isAsked = false
    connection.start({
      execute: (packet, client) => {
        if (isAsked) return dump.#receive(packet as Packet, client as Client)
        isAsked = true
        ;(client as Client)._resetSequenceId()
        ;(client as Client).writePacket(request(serverId(reader), file, at))
        return false
      },
      onResult: (error) => dump.#arrivals.fail(fromMysql(error))
    })
    return dump
  }

  get arrivals(): Pick<Arrivals<LogEvent>, 'take' | 'hasMore'> {
    return this.#arrivals
  }

  close(): void {
    this.#arrivals.fail(new SqlError('unavailable', 'The reading of changes has ended'))
    this.#connection.destroy()
  }

  #receive(packet: Packet, client: Client): boolean {
    const bytes = packet.buffer.subarray(packet.offset, packet.end)
    const [mark] = bytes
    if (mark === ERROR) this.#arrivals.fail(fromMysql(packet.asError(client.clientEncoding)))
    if (mark === END_OF_DATA)
      this.#arrivals.fail(new SqlError('unavailable', 'The server has ended its log; try again'))
    if (mark !== 0) return true
    // A copy, because the bytes are those of the connection.
    const event = Buffer.from(bytes.subarray(1))
    const [size, endAt] = [event.readUInt32LE(9), event.readUInt32LE(13)]
    const kind = event.readUInt8(4)
    if (kind === FORMAT) this.#hasSums = event[event.length - SUM_BYTES - 1] === 1
    const body = event.subarray(HEADER_BYTES, event.length - (this.#hasSums ? SUM_BYTES : 0))
    const startAt = Math.max(0, endAt - size)
    this.#arrivals.push({ kind, time: event.readUInt32LE(0), startAt, endAt, body }, event.length)
    return false
  }
}

/** Replicas have numbers, and the server ends an older connection of the same one. Large ones are seldom given by people. */
const serverId = (reader: string) => (hash('sha256', reader, 'buffer').readUInt32LE(0) | 0x8000_0000) >>> 0

function request(id: number, file: string, at: number) {
  const name = Buffer.from(file)
  const buffer = Buffer.alloc(15 + name.length)
  buffer.writeUInt8(DUMP, 4)
  buffer.writeUInt32LE(at, 5)
  buffer.writeUInt32LE(id, 11)
  name.copy(buffer, 15)
  return {
    buffer,
    length: () => buffer.length,
    writeHeader(sequenceId: number) {
      buffer.writeUIntLE(buffer.length - 4, 0, 3)
      buffer.writeUInt8(sequenceId, 3)
    }
  }
}
