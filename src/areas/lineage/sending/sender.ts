import { type Clock, toIso } from '../../../engines/clock.ts'
import { type Jobs, PermanentFailure, type Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { type Outbound, OutboundError } from '../../../engines/outbound/index.ts'
import { type Collector, lineageRequest, notSent, type Sent, sentBy } from '../openlineage/sending.ts'
import type { RunEvent } from '../openlineage/writing.ts'
import { nodeKey } from '../references.ts'
import type { Sighting } from '../sighting.ts'
import { type Moment, runEvent } from './run-event.ts'

export const SEND = 'lineage.send'
/** After that a collector that does not answer is given up on, for this event. */
const GIVE_UP_MS = 86_400_000
const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 64 * 1024

/** A moment that is to be told, and how often that was tried. */
export interface Sending extends Moment {
  readonly attempt: number
  readonly since: string
  /** Why it could not be sent the last time, in a word that says nothing of the collector. */
  readonly code?: string
}

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly jobs: Jobs
  readonly version: string
  readonly log: Log
  readonly collector: Collector | undefined
  outbound(): Promise<Outbound>
}

/** Sends what our own runs read and write on to a collector that the operator named. */
export class Sender {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Has sightings of our own sent, in the transaction that takes them in. What others told is not passed on. */
  async send(tx: Db, sightings: readonly Sighting[]): Promise<void> {
    const { collector, jobs, clock } = this.#needs
    if (collector === undefined) return
    const own = sightings.filter(({ provenance }) => provenance.how === 'captured')
    const since = clock.iso()
    const payloads = own.map(({ job, run }): Sending => {
      const { id, state, timeMs } = run
      return { job: nodeKey(job.reference), run: id, state, timeMs, attempt: 1, since }
    })
    if (payloads.length === 0) return
    await jobs.enqueueAll(
      tx,
      payloads.map((payload) => ({ kind: SEND, payload }))
    )
  }

  readonly worker: Worker<Sending> = async (job) => {
    const { metadata, version, clock, jobs, collector, log } = this.#needs
    const { payload } = job
    if (collector === undefined) return
    const event = await runEvent(metadata.db, payload, `urn:millrace:${version}`)
    if (event === undefined) return
    const { sent, code } = await this.#try(collector, event, payload.attempt, job.signal)
    if (sent.outcome === 'sent') return
    if (sent.outcome === 'refused') throw new PermanentFailure(sent.reason, 'collector_refused')
    if (clock.now() - Date.parse(payload.since) > GIVE_UP_MS) throw new PermanentFailure(sent.reason, 'collector_away')
    log.warn({ code, reason: sent.reason, attempt: payload.attempt }, 'lineage could not be sent on, and is sent again')
    const again = { kind: SEND, payload: { ...payload, attempt: payload.attempt + 1, code } }
    await job.commit((tx) => jobs.enqueue(tx, { ...again, runAt: toIso(clock.now() + sent.afterMs) }))
  }

  async #try(
    collector: Collector,
    event: RunEvent,
    attempt: number,
    signal: AbortSignal
  ): Promise<{ sent: Sent; code: string }> {
    const { url, ...request } = lineageRequest(collector, event)
    const outbound = await this.#needs.outbound()
    try {
      const options = { ...request, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_ANSWER_BYTES, signal }
      const response = await outbound.request(url, options)
      const retryAfter = [response.headers['retry-after']].flat()[0]
      const answer = { status: response.status, retryAfter, text: await response.text() }
      const sent = sentBy(answer, attempt, this.#needs.clock.now(), collector.key)
      return { sent, code: `status_${response.status}` }
    } catch (error) {
      if (!(error instanceof OutboundError) || signal.aborted) throw error
      return { sent: notSent(error.message, attempt), code: error.code }
    }
  }
}
