import type { AreaNeeds } from '../../../area.ts'
import { formOf } from '../../../data/object-formats.ts'
import { formatReference, MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import type { Worker } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type Cause, recordChanges, tellChanges } from '../../../http/changes.ts'
import type { Outcome } from '../../../http/route.ts'
import { scanInBackground } from './background.ts'
import type { Scans } from './scans.ts'

export const UPLOAD_JOB = 'classification.scan-upload'

/** Uploads that may wait to be looked at; those beyond are left to a schedule. */
const MAX_WAITING = 1000
/** Larger objects would be copied for a sample of a thousand rows. */
const MAX_OBJECT_BYTES = 256 * 1024 * 1024
const AT_ONCE = 100
const ATTEMPTS = 3

type Needs = Pick<AreaNeeds, 'bus' | 'metadata' | 'jobs' | 'log' | 'config' | 'audit'>

interface UploadPayload {
  readonly resource: string
}

/** Has objects looked at that were just uploaded, where SQL can read them. */
export class Uploads {
  readonly #needs: Needs
  readonly #pending = new Set<string>()
  #isAdding: Promise<void> | undefined
  #unsubscribe = () => {}
  #leftOut = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** How many were not looked at because too many waited, since the server started. */
  get leftOut(): number {
    return this.#leftOut
  }

  start(): void {
    if (!this.#needs.config.classifyUploads) return
    this.#unsubscribe = this.#needs.bus.subscribe('object.created', ({ bucket, key, sizeBytes, contentType }) => {
      if (sizeBytes > MAX_OBJECT_BYTES || formOf(key, contentType) === undefined) return
      this.#take(formatReference({ scheme: 'object', owner: bucket, path: key }))
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#isAdding
  }

  #take(resource: string): void {
    if (resource.length > MAX_REFERENCE_CHARS) return
    if (this.#pending.size >= MAX_WAITING) this.#leftOut++
    else this.#pending.add(resource)
    this.#isAdding ??= this.#addAll().finally(() => {
      this.#isAdding = undefined
    })
  }

  /** Many uploads share a transaction. */
  async #addAll(): Promise<void> {
    const { metadata, jobs, log } = this.#needs
    while (this.#pending.size > 0) {
      const resources = [...this.#pending].slice(0, AT_ONCE)
      for (const resource of resources) this.#pending.delete(resource)
      try {
        const added = await metadata.transaction((tx) => this.#add(tx, resources))
        this.#leftOut += resources.length - added
        if (added > 0) jobs.wake()
      } catch (error) {
        this.#leftOut += resources.length
        log.error({ err: error }, 'uploads could not be noted for classification; a schedule can look at them')
      }
    }
  }

  async #add(tx: Db, resources: readonly string[]): Promise<number> {
    const room = MAX_WAITING - (await waitingUploads(tx))
    const taken = resources.slice(0, Math.max(0, room))
    for (const resource of taken) {
      const payload: UploadPayload = { resource }
      await this.#needs.jobs.enqueue(tx, { kind: UPLOAD_JOB, key: resource, payload, maxAttempts: ATTEMPTS })
    }
    return taken.length
  }
}

/** How many uploads wait, or are being looked at. */
async function waitingUploads(db: Db): Promise<number> {
  const { waiting } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('kind', '=', UPLOAD_JOB)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** The worker of the jobs that uploads leave. */
export function uploadWorker({ bus, audit }: Needs, scans: Scans): Worker<UploadPayload> {
  return async ({ id, payload, signal, commit }) => {
    const cause: Cause = {
      user: null,
      apiKey: null,
      action: 'classification-suggestion.sample',
      status: 200,
      ip: '',
      userAgent: null,
      requestId: id
    }
    async function audited<T>(work: (tx: Db) => Promise<Outcome<T>>): Promise<T> {
      const outcome = await commit(async (tx) => {
        const done = await work(tx)
        await recordChanges(tx, audit, done.changes, cause)
        return done
      })
      tellChanges(bus, outcome.changes)
      return outcome.answer
    }
    return scanInBackground(scans, { resource: payload.resource, cause: 'upload', signal, commit: audited })
  }
}
