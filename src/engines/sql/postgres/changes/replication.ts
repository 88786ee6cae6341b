import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Outbound } from '../../../outbound/index.ts'
import { Arrivals } from '../../changes/arrivals.ts'
import { SqlError } from '../../errors.ts'
import type { SqlSettings } from '../../index.ts'
import { clientFor, TEXT_FORMS } from '../connection.ts'
import { fromPostgres } from '../errors.ts'
import { quoteName } from '../quote.ts'
import { decodeMessage, type Lsn, type Message } from './pgoutput.ts'

/** The server ends a connection that says nothing for a minute (`wal_sender_timeout`). */
const STATUS_EVERY_MS = 10_000

/**
 * A server that shuts down asks again and again, without a pause, until everything in its log is confirmed, of other tables
 * too, and does not end before that. So many questions in a row, each so soon after the last, mean that it does.
 */
const ASKED_IN_A_ROW = 10
const IN_A_ROW_MS = 250

/** The slot is being read. */
const OBJECT_IN_USE = '55006'
const HELD_LIMIT_MS = 10_000
const LOOK_AGAIN_MS = 100

const WAL_DATA = 'w'.charCodeAt(0)
const KEEP_ALIVE = 'k'.charCodeAt(0)
const STATUS = 'r'.charCodeAt(0)

/** Everything up to here has been sent, and nothing of it is left to come. */
export interface Caught {
  readonly kind: 'caught'
  readonly at: Lsn
}

/** What `pg` has for a connection in both directions, and does not declare. */
interface Wire {
  readonly stream: { pause(): void; resume(): void; destroy(): void }
  once(event: 'replicationStart', listener: () => void): void
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void
  sendCopyFromChunk(bytes: Buffer): void
}

/** A connection over which the server sends changes as they are committed, as far as they are taken. */
export class Replication {
  readonly #client: pg.Client
  readonly #wire: Wire
  readonly #timer: NodeJS.Timeout
  readonly #arrivals: Arrivals<Message | Caught>
  #confirmed: Lsn
  #asked = { times: 0, atMs: 0 }

  private constructor(client: pg.Client, from: Lsn) {
    this.#client = client
    this.#wire = (client as unknown as { connection: Wire }).connection
    this.#arrivals = new Arrivals(this.#wire.stream)
    this.#confirmed = from
    this.#timer = setInterval(() => this.#sendStatus(), STATUS_EVERY_MS)
    this.#timer.unref()
  }

  /** Begins with what the slot has not been confirmed of. */
  static async open(settings: SqlSettings, outbound: Outbound, slot: string, from: Lsn): Promise<Replication> {
    const client = await clientFor(settings, outbound, { replication: 'database' })
    client.on('error', () => {}) // the statement under way is told as well
    try {
      await client.connect()
      // Values are printed by this session.
      await client.query(TEXT_FORMS.map((setting) => `SET ${setting}`).join('; '))
    } catch (error) {
      void client.end().catch(() => {})
      throw fromPostgres(error)
    }
    const replication = new Replication(client, from)
    replication.#start(slot)
    return replication
  }

  get arrivals(): Pick<Arrivals<Message | Caught>, 'take' | 'hasMore'> {
    return this.#arrivals
  }

  confirm(at: Lsn): void {
    if (at <= this.#confirmed) return
    this.#confirmed = at
    this.#sendStatus()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#arrivals.fail(new SqlError('unavailable', 'The reading of changes has ended'))
    this.#client.end().catch(() => {})
    this.#wire.stream.destroy()
  }

  #start(slot: string): void {
    // So that whoever takes hears that the server sends, though nothing has happened yet.
    this.#wire.once('replicationStart', () => this.#arrivals.push({ kind: 'caught', at: this.#confirmed }, 0))
    this.#wire.on('copyData', ({ chunk }) => this.#receive(chunk))
    const options = `proto_version '1', publication_names '${quoteName(slot)}'`
    this.#untilFree(`START_REPLICATION SLOT ${quoteName(slot)} LOGICAL 0/0 (${options})`).then(
      () => this.#arrivals.fail(new SqlError('unavailable', 'PostgreSQL has stopped sending changes; try again')),
      (error) => this.#arrivals.fail(fromPostgres(error))
    )
  }

  /** A server takes a moment to notice that whoever read before is gone, and a busy one takes longer. */
  async #untilFree(command: string): Promise<void> {
    const lastMs = performance.now() + HELD_LIMIT_MS
    for (;;) {
      try {
        await this.#client.query(command)
        return
      } catch (error) {
        const isHeld = (error as { code?: unknown }).code === OBJECT_IN_USE
        if (!isHeld || this.#arrivals.hasFailed || performance.now() > lastMs) throw error
        await delay(LOOK_AGAIN_MS)
      }
    }
  }

  #receive(chunk: Buffer): void {
    const kind = chunk[0]
    if (kind === KEEP_ALIVE) {
      this.#arrivals.push({ kind: 'caught', at: chunk.readBigUInt64BE(1) }, chunk.length)
      if (chunk[17] === 1) this.#answer()
    } else if (kind === WAL_DATA) {
      const message = decodeMessage(chunk.subarray(25))
      if (message !== undefined) this.#arrivals.push(message, chunk.length)
    }
  }

  #answer(): void {
    const atMs = performance.now()
    this.#asked = { times: atMs - this.#asked.atMs < IN_A_ROW_MS ? this.#asked.times + 1 : 1, atMs }
    if (this.#asked.times < ASKED_IN_A_ROW) {
      this.#sendStatus()
    } else {
      // What is not confirmed comes again from the slot, when the server is back.
      this.#arrivals.fail(new SqlError('unavailable', 'PostgreSQL is shutting down; trying again'))
      this.#wire.stream.destroy()
    }
  }

  #sendStatus(): void {
    if (this.#arrivals.hasFailed) return
    const status = Buffer.alloc(34) // the time, which is optional, stays zero
    status.writeUInt8(STATUS, 0)
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(this.#confirmed, at)
    this.#wire.sendCopyFromChunk(status)
  }
}
