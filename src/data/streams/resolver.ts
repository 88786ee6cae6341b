import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Channel } from '../../engines/channel.ts'
import type { KeptSecrets } from '../../engines/drivers/index.ts'
import { reasonOf } from '../budget.ts'
import { DataError } from '../errors.ts'
import { type DataReference, formatReference } from '../reference.ts'
import type { Relation, RelationResolver, ResolvePlace } from '../relation.ts'
import { EVERYTHING, type Wish } from '../wish.ts'
import { emptySelect, selectLines } from './csv.ts'
import { type CopyOrder, type CopyOutcome, type CopyServer, PLAIN_FAULTS, type ReadableStream } from './messages.ts'

interface Needs {
  /** What there is under a reference; a problem where there is none. */
  openStream(connectorId: string, stream: string): Promise<ReadableStream | { readonly problem: string }>
  /** The secrets of the connector that a ticket is for. */
  secretsWith(ticket: string): Promise<KeptSecrets>
  readonly outbound: CopyOrder['outbound']
  /** What one copy may take at the most. */
  readonly maxBytes: number
}

/** `connector://id/stream`: what a statement needs of it is fetched from where it is, as far as its source can tell that apart. */
export class StreamResolver implements RelationResolver {
  readonly scheme = 'connector'
  readonly takesWishes = true
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async resolve(reference: DataReference, place: ResolvePlace, wish: Wish = EVERYTHING): Promise<Relation> {
    const { owner, path: stream } = reference
    const opened = await this.#needs.openStream(owner, stream)
    if ('problem' in opened) throw new DataError('not_found', `${formatReference(reference)}: ${opened.problem}.`)
    const file = join(place.folder, 'records.csv')
    const { outbound, maxBytes } = this.#needs
    const secrets = await this.#needs.secretsWith(opened.ticket)
    const outcome = await copied({ ...opened, stream, wish, outbound, file, maxBytes }, secrets, place.signal)
    if ('failed' in outcome)
      throw new DataError(outcome.failed, `${formatReference(reference)} can't be read: ${outcome.message}.`)
    place.claimBytes(outcome.bytes)
    const sql = selectLines(file, outcome.columns, outcome.longestLine)
    // Nothing may have been written where nothing was asked for.
    if (outcome.rows > 0) return { sql, files: [file], release: async () => {} }
    return { sql: emptySelect(outcome.columns), files: [], release: async () => {} }
  }
}

async function copied(order: CopyOrder, secrets: KeptSecrets, signal: AbortSignal): Promise<CopyOutcome> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: order })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  const { promise, resolve, reject } = Promise.withResolvers<CopyOutcome>()
  const serves: CopyServer = { ...secrets, done: resolve }
  const thread = new Channel({ post: (message) => worker.postMessage(message), serves, faults: PLAIN_FAULTS })
  worker.on('message', (message) => thread.hear(message))
  worker.on('error', reject)
  worker.on('exit', () => reject(signal.aborted ? reasonOf(signal) : new Error('The thread that reads has ended')))
  try {
    return await promise
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await worker.terminate()
  }
}
