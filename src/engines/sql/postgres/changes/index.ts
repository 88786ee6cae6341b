import type { Outbound } from '../../../outbound/index.ts'
import { emptyChunk } from '../../changes/chunks.ts'
import type { ChangesChunk, ChangesRead, SqlChanges } from '../../changes/index.ts'
import type { SqlSettings } from '../../index.ts'
import type { Sessions } from '../../sessions.ts'
import type { PostgresConnection } from '../connection.ts'
import { LogReader } from './log.ts'
import { valuesNow } from './moved-row.ts'
import { type Position, parsePosition, positionText } from './position.ts'
import { Replication } from './replication.ts'
import { makeSlot, requireSlot } from './slot.ts'
import { readSnapshot } from './snapshot.ts'
import { baseTypes, type CapturedTable, capturedTable } from './table.ts'

interface Needs {
  readonly settings: SqlSettings
  readonly outbound: Outbound
  readonly sessions: Sessions<PostgresConnection>
}

/** Changes of a table by logical decoding with `pgoutput`. The slot and the publication have the name of the reader. */
export class PostgresChanges implements SqlChanges {
  readonly #request: ChangesRead
  readonly #needs: Needs
  #replication: Replication | undefined

  constructor(request: ChangesRead, needs: Needs) {
    this.#request = request
    this.#needs = needs
  }

  confirm(position: string): void {
    const { at, snapshot } = parsePosition(position)
    if (snapshot === undefined) this.#replication?.confirm(at)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChangesChunk> {
    const table = await this.#run((connection) => capturedTable(connection, this.#request.table))
    let position = await this.#begin(table)
    if (this.#request.after === null) yield emptyChunk(positionText(position))
    if (position.snapshot !== undefined) {
      yield* this.#snapshot(table, position)
      position = { at: position.at, given: 0 }
      yield emptyChunk(positionText(position))
    }
    yield* this.#log(table, position)
  }

  async #begin(table: CapturedTable): Promise<Position> {
    const { reader, after } = this.#request
    const { user = 'postgres' } = this.#needs.settings
    if (after === null) {
      const at = await this.#run((connection) => makeSlot(connection, reader, table, user))
      return { at, given: 0, snapshot: null }
    }
    const position = parsePosition(after)
    await this.#run((connection) => requireSlot(connection, reader, position.at))
    return position
  }

  #snapshot(table: CapturedTable, position: Position): AsyncGenerator<ChangesChunk> {
    const { signal } = this.#request
    return this.#needs.sessions.read(signal === undefined ? {} : { signal }, (connection, _, bounds, watch) =>
      readSnapshot(connection, table, position, bounds, watch)
    )
  }

  async *#log(table: CapturedTable, position: Position): AsyncGenerator<ChangesChunk> {
    const { settings, outbound } = this.#needs
    const { reader, signal } = this.#request
    signal?.throwIfAborted()
    const replication = await Replication.open(settings, outbound, reader, position.at)
    const stop = () => replication.close()
    signal?.addEventListener('abort', stop, { once: true })
    this.#replication = replication
    const log = new LogReader(position, {
      keys: table.keys.map(({ name }) => name),
      baseTypes: (oids) => this.#run((connection) => baseTypes(connection, oids)),
      valuesNow: (keys, columns) => this.#run((connection) => valuesNow(connection, table, keys, columns))
    })
    try {
      let messages = await replication.arrivals.take()
      // Who goes on hears at once that it works, and not only with the next change.
      if (this.#isGoingOn) yield emptyChunk(positionText(position))
      for (; ; messages = await replication.arrivals.take()) {
        for (const message of messages) yield* log.take(message)
        if (!replication.arrivals.hasMore) yield* log.rest()
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      replication.close()
      this.#replication = undefined
    }
  }

  get #isGoingOn(): boolean {
    const { after } = this.#request
    return after !== null && parsePosition(after).snapshot === undefined
  }

  #run<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#needs.sessions.run(this.#request.signal, work)
  }
}
