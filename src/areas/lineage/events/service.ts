import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Intake, type Sent } from '../../../http/intake.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Above, lowering, notTaken, withoutColumns, writtenIn } from '../columns/lowering.ts'
import { Problem } from '../errors.ts'
import type { Lineage } from '../lineage.ts'
import type { Naming } from '../openlineage/naming.ts'
import { sightingsOf } from '../openlineage/reading.ts'
import type { Told } from '../openlineage/told.ts'
import type { Sighting } from '../sighting.ts'
import { eventsIn } from './events-in.ts'
import type { EventResult } from './schema.ts'
import { SharedWrites } from './shared-writes.ts'
import { type ReadStatement, StatementsIn } from './statements.ts'
import { tell } from './telling.ts'

/** A larger body would keep others waiting while it is parsed. */
const MAX_BYTES = 8 * 1024 * 1024
const UNPACKED_TIMES = 1
const MAX_EVENTS = 10_000
const EVENTS_AT_ONCE = 100
const MAX_ERRORS = 100
/** Events that wait to be written, at most. */
const MAX_WAITING = 20_000
/** SQLite writes in this process, one after the other. */
const MAX_WRITING: Readonly<Record<Metadata['dialect'], number>> = { sqlite: 1, postgres: 2 }

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly lineage: Lineage
  /** What names of others mean here, as it is now. */
  naming(): Promise<Naming>
  /** Who may see what. */
  classification(): Promise<Above>
  /** Reads the SQL of events. */
  readonly readStatement: ReadStatement
}

/** What an event tells, and which of those that were sent it is. */
type ToldAt = Told & { readonly position: number }

/** Takes in OpenLineage events. */
export class Events {
  readonly #needs: Needs
  readonly #writes: SharedWrites<Told>
  readonly #intake = new Intake({
    maxBytes: MAX_BYTES,
    tooLarge: `Events of one request may have ${MAX_BYTES} bytes; send fewer at a time.`,
    busy: 'overloaded',
    packedBadly: 'malformed_json'
  })

  constructor(needs: Needs) {
    this.#needs = needs
    const { metadata, lineage } = needs
    // Few transactions at a time: the longer one takes, the more share the next, and the less each of them costs.
    this.#writes = new SharedWrites((told) => metadata.transaction((tx) => tell(tx, lineage, told)), {
      maxWaiting: MAX_WAITING,
      maxWriting: MAX_WRITING[metadata.dialect]
    })
  }

  take(sent: Sent & { readonly actor: Actor }, isLines: boolean): Promise<EventResult> {
    return this.#intake.take(
      sent,
      (body) => this.#takeAll(sent.actor, eventsIn(Buffer.from(body.buffer, body.byteOffset, body.length), isLines)),
      UNPACKED_TIMES
    )
  }

  async #takeAll(actor: Actor, events: readonly unknown[]): Promise<EventResult> {
    if (events.length > MAX_EVENTS) {
      throw new Problem('payload_too_large', {
        detail: `One request may have ${MAX_EVENTS} events; send fewer at a time.`
      })
    }
    if (events.length === 0) {
      const members = { accepted: 0, rejected: 0, errors: [] }
      throw new Problem('no_events_accepted', { detail: 'There is no event in the body; send at least one.', members })
    }
    const naming = await this.#needs.naming()
    const statements = new StatementsIn(this.#needs)
    const errors: EventResult['errors'] = []
    let rejected = 0
    for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
      const told: ToldAt[] = []
      for (const [at, event] of events.slice(from, from + EVENTS_AT_ONCE).entries()) {
        const read = readEvent(event, naming, this.#needs.clock.now())
        const position = from + at
        if (!('problem' in read))
          told.push({ position, ...(statements.isIn(read) ? await statements.readIn(read, position) : read) })
        else if (++rejected <= MAX_ERRORS) errors.push({ position: from + at, code: 'invalid_event', ...read.problem })
      }
      if (told.length > 0) await this.#writes.write(await this.#heard(actor, told, statements))
    }
    if (rejected > 0 && rejected === events.length) {
      throw new Problem('no_events_accepted', { members: { accepted: 0, rejected, errors } })
    }
    return { accepted: events.length - rejected, rejected, errors, warnings: statements.warnings }
  }

  /** What events tell, without columns that would take levels away which the caller may not see. */
  async #heard(actor: Actor, told: readonly ToldAt[], { warn }: Pick<StatementsIn, 'warn'>): Promise<readonly Told[]> {
    const written = told.flatMap(({ sightings }) => sightings.flatMap(writtenIn))
    if (written.length === 0) return told
    const { metadata, classification } = this.#needs
    const left = await lowering(metadata.db, classification, actor, written)
    if (left.size === 0) return told
    return told.map((one) => {
      const heard = one.sightings.map((sighting) => withoutColumns(sighting, left))
      for (const reference of heard.flatMap(({ gone }) => gone)) warn(one.position, notTaken(reference))
      return { ...one, sightings: heard.map(({ kept }) => kept) }
    })
  }
}

function readEvent(
  event: unknown,
  naming: Naming,
  nowMs: number
): Told | { problem: { pointer: string; message: string } } {
  if (event instanceof Problem) return { problem: { pointer: '', message: event.message } }
  const read = sightingsOf(event, naming)
  if ('problem' in read) return { problem: { pointer: read.problem.pointer, message: read.problem.reason } }
  return { ...read, sightings: read.sightings.map((one) => notLater(one, nowMs)) }
}

/** A clock that is ahead would have what it tells seen only when ours is there too. */
const notLater = (sighting: Sighting, nowMs: number): Sighting =>
  sighting.run.timeMs <= nowMs ? sighting : { ...sighting, run: { ...sighting.run, timeMs: nowMs } }
