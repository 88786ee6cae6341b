import type { Outbound } from '../../../outbound/index.ts'
import { emptyChunk } from '../../changes/chunks.ts'
import { BEGIN_ANEW, type ChangesChunk, type ChangesRead, type SqlChanges } from '../../changes/index.ts'
import { SqlError } from '../../errors.ts'
import type { SqlSettings } from '../../index.ts'
import type { Sessions } from '../../sessions.ts'
import { MysqlConnection } from '../connection.ts'
import { Dump } from './dump.ts'
import { LogReader } from './log.ts'
import { type Position, parsePosition, positionText } from './position.ts'
import { grantsFor, logEnd, requireLog } from './server.ts'
import { readSnapshot } from './snapshot.ts'
import { type CapturedTable, capturedTable, characterSets, columnsNow } from './table.ts'
import { textDecoder } from './texts.ts'

interface Needs {
  readonly settings: SqlSettings
  readonly outbound: Outbound
  readonly sessions: Sessions<MysqlConnection>
}

/** Changes of a table from the binary log of the server, which sends it as to a replica. */
export class MysqlChanges implements SqlChanges {
  readonly #request: ChangesRead
  readonly #needs: Needs

  constructor(request: ChangesRead, needs: Needs) {
    this.#request = request
    this.#needs = needs
  }

  /** The server deletes its log by its own rules, whoever reads it. */
  confirm(): void {}

  async *[Symbol.asyncIterator](): AsyncGenerator<ChangesChunk> {
    const table = await this.#table()
    let position = await this.#begin()
    if (this.#request.after === null) yield emptyChunk(positionText(position))
    if (position.snapshot !== undefined) {
      yield* this.#snapshot(table, position)
      const { file, at } = position
      position = { file, at, given: 0 }
      yield emptyChunk(positionText(position))
    }
    yield* this.#log(table, position)
  }

  async #begin(): Promise<Position> {
    const { after } = this.#request
    await this.#run(requireLog)
    const position = after === null ? { ...(await this.#run(logEnd)), given: 0, snapshot: null } : parsePosition(after)
    // A right that is missing, or a log that is, is better known before all rows are read.
    if (position.snapshot !== undefined) {
      const dump = await this.#open(position)
      await dump.arrivals
        .take()
        .catch((error) => Promise.reject(this.#told(error)))
        .finally(() => dump.close())
    }
    return position
  }

  #snapshot(table: CapturedTable, position: Position): AsyncGenerator<ChangesChunk> {
    const { signal } = this.#request
    return this.#needs.sessions.read(signal === undefined ? {} : { signal }, (connection, _, bounds, watch) =>
      readSnapshot(connection, table, position, bounds, watch)
    )
  }

  async *#log(table: CapturedTable, position: Position): AsyncGenerator<ChangesChunk> {
    const { signal } = this.#request
    const sets = await this.#run(characterSets)
    const dump = await this.#open(position)
    const stop = () => dump.close()
    signal?.addEventListener('abort', stop, { once: true })
    const log = new LogReader(position, table, {
      table: () => this.#table(),
      columns: () => this.#run((connection) => columnsNow(connection, table)),
      decoderOf: (collation) => textDecoder(sets.get(collation) ?? 'binary')
    })
    try {
      signal?.throwIfAborted()
      let events = await dump.arrivals.take()
      // Who goes on hears at once that it works, and not only with the next change.
      if (this.#isGoingOn) yield emptyChunk(positionText(position))
      for (; ; events = await dump.arrivals.take()) {
        for (const event of events) yield* log.take(event)
        if (!dump.arrivals.hasMore) yield* log.rest()
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw this.#told(error)
    } finally {
      signal?.removeEventListener('abort', stop)
      dump.close()
    }
  }

  async #open({ file, at }: Position): Promise<Dump> {
    const { settings, outbound } = this.#needs
    const connection = await MysqlConnection.open(settings, outbound)
    try {
      return await Dump.open(connection, this.#request.reader, file, at)
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  /** What can be done about it. */
  #told(error: unknown): unknown {
    if (!(error instanceof SqlError)) return error
    if (error.code === 'position_lost') return new SqlError('position_lost', `${error.message}: ${BEGIN_ANEW}`)
    if (error.code !== 'denied') return error
    return new SqlError('denied', `${error.message}; an administrator can run: ${grantsFor(this.#needs.settings)}`)
  }

  get #isGoingOn(): boolean {
    const { after } = this.#request
    return after !== null && parsePosition(after).snapshot === undefined
  }

  #table(): Promise<CapturedTable> {
    return this.#run((connection) => capturedTable(connection, this.#request.table))
  }

  #run<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    return this.#needs.sessions.run(this.#request.signal, work)
  }
}
