import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { created, type Outcome, updated } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNotFound } from '../../../http/rows.ts'
import { DURATION_FORM } from '../../../http/times.ts'
import { MAX_SPAN_WORDS, spanMs } from '../rules/spans.ts'
import type { SilenceRow } from './migrations.ts'
import { countOpen } from './open-alerts.ts'
import type { Silence, SilenceCreate, SilenceQuery, SilenceState, SilenceUpdate } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
}

/** That have not expired. Each look at alerts reads those that are active. */
const MAX_SILENCES = 10_000
const MAX_LENGTH_MS = 366 * 86_400_000

/** Times during which nobody is told of some alerts. Whoever tells of alerts looks at them each time. */
export class Silences {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: SilenceQuery) {
    const { metadata, clock } = this.#needs
    const now = clock.iso()
    const { rows, total, nextCursor } = await store.listSilences(metadata.db, query, now)
    return { silences: rows.map((row) => store.toSilence(row, now)), total, nextCursor }
  }

  async get(id: string): Promise<Silence> {
    const { metadata, clock } = this.#needs
    const silence = store.toSilence(await orNotFound(store.findSilence(metadata.db, id)), clock.iso())
    return { ...silence, alerts: silence.state === 'expired' ? 0 : await this.countAlerts(silence) }
  }

  /** How many open alerts have the labels now. */
  countAlerts({ matchers }: Pick<Silence, 'matchers'>): Promise<number> {
    return countOpen(this.#needs.metadata.db, matchers)
  }

  async create(tx: Db, actor: Actor, body: SilenceCreate, alerts: number): Promise<Outcome<Silence>> {
    const { clock, makeId } = this.#needs
    const row: SilenceRow = {
      id: makeId('sil'),
      matchers: JSON.stringify(body.matchers),
      reason: body.reason,
      ...timesOf(body, clock.now()),
      created_by: actor.id,
      ...firstStamps(clock)
    }
    if ((await store.countUnexpired(tx, clock.iso())) >= MAX_SILENCES) {
      throw new Problem('invalid_request', {
        detail: `There are ${MAX_SILENCES} silences that have not expired, and there can’t be more. End some, or make one with patterns in place of several.`
      })
    }
    await store.insertSilence(tx, row)
    const silence = store.toSilence(row, clock.iso())
    return created('alert-silence', silence, { ...silence, alerts })
  }

  async update(tx: Db, id: string, body: SilenceUpdate): Promise<Outcome<Silence>> {
    const { clock } = this.#needs
    const before = await orNotFound(store.lockSilence(tx, id))
    requireUnexpired(before, clock.iso(), 'update')
    const endsMs = body.endsAt === undefined ? undefined : Date.parse(body.endsAt)
    if (endsMs !== undefined) requireEnd(Date.parse(before.starts_at), endsMs, clock.now(), '/endsAt')
    const after: SilenceRow = {
      ...before,
      matchers: body.matchers === undefined ? before.matchers : JSON.stringify(body.matchers),
      reason: body.reason ?? before.reason,
      ends_at: endsMs === undefined ? before.ends_at : toIso(endsMs),
      ...nextStamps(before, clock)
    }
    return this.#write(tx, before, after)
  }

  /** It stays in the list, for those who wonder why nobody was told. */
  async end(tx: Db, id: string): Promise<Outcome<Silence>> {
    const { clock } = this.#needs
    const before = await orNotFound(store.lockSilence(tx, id))
    const now = clock.iso()
    requireUnexpired(before, now, 'end')
    const starts_at = store.stateOf(before, now) === 'pending' ? now : before.starts_at
    return this.#write(tx, before, { ...before, starts_at, ends_at: now, ...nextStamps(before, clock) })
  }

  async #write(tx: Db, before: SilenceRow, after: SilenceRow): Promise<Outcome<Silence>> {
    await store.updateSilence(tx, after)
    const now = this.#needs.clock.iso()
    return updated('alert-silence', store.toSilence(before, now), store.toSilence(after, now))
  }
}

function timesOf(body: SilenceCreate, nowMs: number): Pick<SilenceRow, 'starts_at' | 'ends_at'> {
  if (body.endsAt !== undefined && body.for !== undefined) {
    throw invalidField('/for', 'says the same as endsAt: send one of the two')
  }
  const startsMs = body.startsAt === undefined ? nowMs : Date.parse(body.startsAt)
  if (startsMs > nowMs + MAX_LENGTH_MS) throw invalidField('/startsAt', 'must not be more than a year ahead')
  const [pointer, endsMs] = endOf(body, startsMs)
  requireEnd(startsMs, endsMs, nowMs, pointer)
  return { starts_at: toIso(startsMs), ends_at: toIso(endsMs) }
}

function endOf(body: SilenceCreate, startsMs: number): [string, number] {
  if (body.endsAt !== undefined) return ['/endsAt', Date.parse(body.endsAt)]
  if (body.for === undefined) throw invalidField('/endsAt', 'is required, or for: a silence has an end')
  const span = spanMs(body.for)
  if (span === undefined) throw invalidField('/for', `must be ${DURATION_FORM}, and at most ${MAX_SPAN_WORDS}`)
  return ['/for', startsMs + span]
}

function requireEnd(startsMs: number, endsMs: number, nowMs: number, pointer: string): void {
  if (endsMs <= nowMs) throw invalidField(pointer, 'must end it in the future; DELETE ends a silence now')
  if (endsMs <= startsMs) throw invalidField(pointer, 'must end it after it starts')
  if (endsMs - startsMs > MAX_LENGTH_MS)
    throw invalidField(pointer, `must end it at most ${MAX_SPAN_WORDS} after it starts`)
}

const UNEXPIRED: readonly SilenceState[] = ['pending', 'active']

function requireUnexpired(row: SilenceRow, now: string, operation: 'update' | 'end'): void {
  const state = store.stateOf(row, now)
  if (UNEXPIRED.includes(state)) return
  throw new Problem('illegal_transition', {
    detail: `The silence expired at ${row.ends_at}; only one that is ${UNEXPIRED.join(' or ')} can be changed or ended. Make another.`,
    members: { currentStatus: state, allowedFrom: UNEXPIRED, operation }
  })
}
