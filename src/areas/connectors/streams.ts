import type { Clock } from '../../engines/clock.ts'
import {
  type Stream as FoundStream,
  type OpenSource,
  SourceError,
  type StreamColumn
} from '../../engines/drivers/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { Asker, Guard } from '../classification/index.ts'
import type { Integration } from '../integration/index.ts'
import { cursorOf } from './cursor.ts'
import { differenceOf } from './difference.ts'
import { Problem } from './errors.ts'
import type { ConnectorRow, ConnectorStreamRow } from './migrations.ts'
import { SampleRecords } from './sample-records.ts'
import type { Discovery, Sample, SampleRequest, StreamQuery } from './schema.ts'
import type { Connectors } from './service.ts'
import * as store from './store.ts'
import { toStream } from './view.ts'

const MAX_STREAMS = 10_000
const DEFAULT_RECORDS = 100
const MAX_NOTES = 100
/** Discovering and reading end after this, however slow the other side is. */
const LIMIT_MS = 30_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly connectors: Connectors
  integration(): Promise<Integration>
  /** Told of a connector that has answered. */
  works(row: ConnectorRow): Promise<void>
  guard(): Promise<Guard>
}

/** What can be read of connectors. */
export class Streams {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(id: string, query: StreamQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listStreams(db, id, query)
    await orNotFound(store.findConnector(db, id))
    return { streams: rows.map(toStream), total, nextCursor }
  }

  async discover(id: string): Promise<Performed<Discovery>> {
    const { connectors, metadata } = this.#needs
    const { row, source, config } = await connectors.open(id)
    const integration = await this.#needs.integration()
    const { streams, isWhole } = await asked(() =>
      integration.using(
        source,
        config,
        (opened) => opened.discover({ limit: MAX_STREAMS, signal: AbortSignal.timeout(LIMIT_MS) }),
        connectors.secrets.of(id)
      )
    )
    await this.#needs.works(row)
    const before = await store.allStreams(metadata.db, id)
    const seen = new Map(before.map(({ name, columns }) => [name, columns]))
    const rows = streams.map((stream) => toRow(id, stream, seen.get(stream.name)))
    const notes = rows.flatMap(({ name, note }) => (note === null ? [] : [{ name, note }])).slice(0, MAX_NOTES)
    const answer = { total: rows.length, whole: isWhole, ...differenceOf(before, rows), notes }
    const { added, removed, changed } = answer
    const counts = { added: added.length, removed: removed.length, changed: changed.length }
    return {
      answer,
      changes: [{ type: 'connector', id, before: {}, after: { streams: rows.length, ...counts } }],
      commit: (tx) => this.#save(tx, row, rows, isWhole)
    }
  }

  /**
   * The first records of a stream, with masks over what the caller may not see. Only by the name that was discovered: labels
   * are for that name, and databases know a table by many others.
   */
  async read(asker: Asker, id: string, request: SampleRequest): Promise<Sample> {
    const { stream, limit = DEFAULT_RECORDS } = request
    const { row, source, config } = await this.#needs.connectors.open(id)
    const found = await store.findStream(this.#needs.metadata.db, id, stream)
    if (found === undefined) {
      const meant = await store.meantStream(this.#needs.metadata.db, id, stream)
      if (meant !== undefined) throw new Problem('unknown_stream', { detail: `There is no ${stream}, but ${meant}.` })
      throw new Problem('unknown_stream', {
        detail: `${lookedAt(row)}: POST /api/connectors/${id}/discover, then GET …/streams.`
      })
    }
    const columns = JSON.parse(found.columns) as StreamColumn[]
    const mask = await (await this.#needs.guard()).maskFor(asker, [`connector://${id}/${stream}`])
    const cursor = cursorOf(request, { columns, cursors: JSON.parse(found.cursors) }, mask)
    const integration = await this.#needs.integration()
    const look = async (opened: OpenSource) => {
      const signal = AbortSignal.timeout(LIMIT_MS)
      const sample = new SampleRecords({ stream, columns, mask, limit, after: cursor && (cursor.after ?? null) })
      const note = (message: string) => sample.note(message)
      const wanted = { stream, known: columns, ...(cursor && { cursor }), limit, note, signal }
      try {
        for await (const chunk of opened.read(wanted)) {
          if (sample.add(chunk)) break
        }
      } catch (error) {
        throw mask === undefined ? error : withoutValues(error)
      }
      return sample.answer
    }
    const answer = await asked(() => integration.using(source, config, look, this.#needs.connectors.secrets.of(id)))
    await this.#needs.works(row)
    return answer
  }

  async #save(tx: Db, asked: ConnectorRow, rows: readonly ConnectorStreamRow[], isWhole: boolean): Promise<void> {
    const row = await store.lockConnector(tx, asked.id)
    if (row === undefined) return
    await store.replaceStreams(tx, row.id, rows)
    await store.updateConnector(tx, {
      ...row,
      discovered_at: this.#needs.clock.iso(),
      streams_whole: isWhole ? 1 : 0,
      streams_stale: row.config === asked.config ? 0 : 1
    })
  }
}

function lookedAt({ discovered_at, streams_stale }: ConnectorRow): string {
  if (discovered_at === null) return 'Nothing was discovered yet'
  if (streams_stale === 1) return 'The configuration has become another since it was last looked'
  return 'It was not there when it was last looked'
}

/** `seen` are the columns of last time, which are kept where none could be seen now. */
function toRow(
  connectorId: string,
  { name, kind, isReadable, columns, keys, cursors, note }: FoundStream,
  seen: string | undefined
): ConnectorStreamRow {
  const isUnseen = isReadable && note !== undefined
  return {
    connector_id: connectorId,
    name,
    kind,
    readable: isReadable ? 1 : 0,
    columns: isUnseen && seen !== undefined ? seen : JSON.stringify(columns),
    keys: JSON.stringify(keys),
    cursors: JSON.stringify(cursors),
    note: note ?? null
  }
}

/** Asks a system of somebody else, and says so where it does not do as asked. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SourceError) throw toProblem(error)
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw toProblem(new SourceError('timeout', `There was no answer within ${LIMIT_MS / 1000} s`))
    }
    throw error
  }
}

/** What a database says of a value that it stumbles over has the value in it. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof SourceError) || error.code !== 'bad_request') return error
  return new SourceError(
    'bad_request',
    'Reading failed; why is not shown, because it may hold values that you may not see'
  )
}

function toProblem({ code, message }: SourceError): Problem {
  if (code === 'not_found') return new Problem('unknown_stream', { detail: message })
  if (code === 'bad_request') return new Problem('unreadable_stream', { detail: message })
  return new Problem('source_failed', { detail: message, members: { cause: code } })
}
