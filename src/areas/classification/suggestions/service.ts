import { MASK_TEXT } from '../../../data/mask.ts'
import type { Clock } from '../../../engines/clock.ts'
import { KINDS, type Kind as KindName } from '../../../engines/detectors/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { nextStamps, orNotFound } from '../../../http/rows.ts'
import type { Guard } from '../clearance/guard.ts'
import type { SuggestionRow } from '../migrations.ts'
import type { Classification } from '../service.ts'
import { findLevelByName, lockClassified } from '../store.ts'
import type { Acceptance, Kind, KindUpdate, Rejection, Scan, ScanQuery, Suggestion, SuggestionQuery } from './schema.ts'
import * as store from './store.ts'
import { toKind, toScan, toSuggestion } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly classification: Classification
  readonly guard: Pick<Guard, 'maskOf'>
}

/** What detectors have suggested, and what people make of it. */
export class Suggestions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: SuggestionQuery) {
    const { rows, total, nextCursor } = await store.listSuggestions(this.#needs.metadata.db, query)
    return { suggestions: rows.map(toSuggestion), total, nextCursor }
  }

  async get(id: string): Promise<Suggestion> {
    return toSuggestion(await orNotFound(store.findSuggestion(this.#needs.metadata.db, id)))
  }

  /** What is said of data that could not be read may quote them. */
  async listScans(actor: Actor, query: ScanQuery) {
    const { metadata, guard } = this.#needs
    const { rows, total, nextCursor } = await store.listScans(metadata.db, query)
    const scans: Scan[] = []
    for (const row of rows) {
      const isHidden = row.error_code !== null && (await guard.maskOf(actor, [row.resource])) !== undefined
      scans.push(toScan(isHidden ? { ...row, error_message: MASK_TEXT } : row))
    }
    return { scans, total, nextCursor }
  }

  async listKinds() {
    return { kinds: (await store.listKinds(this.#needs.metadata.db)).map(toKind) }
  }

  async updateKind(tx: Db, kind: string, { level, enabled }: KindUpdate): Promise<Outcome<Kind>> {
    if (!(KINDS as readonly string[]).includes(kind)) {
      throw new Problem('not_found', { detail: `There is no such kind; there are ${KINDS.join(', ')}.` })
    }
    const before = await orNotFound(store.lockKind(tx, kind as KindName))
    if (level !== undefined) await this.#needs.classification.requireLevel(tx, level, '/level')
    const after = {
      ...before,
      ...(level !== undefined && { level }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...nextStamps(before, this.#needs.clock)
    }
    await store.updateKind(tx, after)
    if (after.level !== before.level) await store.relevelOpen(tx, after.kind, after.level)
    const change = { type: 'classification-kind', id: kind, before: toKind(before), after: toKind(after) } as const
    return { answer: change.after, changes: [change] }
  }

  /** Gives the column the level; a rejected suggestion can be accepted after all. */
  async accept(tx: Db, actor: Actor, id: string, { level, note = '' }: Acceptance): Promise<Outcome<Suggestion>> {
    const before = await this.#undecided(tx, id, 'accept', ['open', 'rejected'])
    const given = level ?? (await this.#stricter(tx, before))
    const tagged = await this.#needs.classification.tag(tx, actor, {
      resource: before.resource,
      columns: [before.column_name],
      level: given,
      reason: note === '' ? `Found by detectors: ${before.kind}` : note
    })
    const after = this.#decided(before, actor, 'accepted', note, given)
    await store.updateSuggestion(tx, after)
    return { answer: toSuggestion(after), changes: [changeOf(before, after), ...tagged.changes] }
  }

  /** The same kind is not suggested for the same column again. One that was accepted is taken back, with the level it gave. */
  async reject(tx: Db, actor: Actor, id: string, { note = '' }: Rejection): Promise<Outcome<Suggestion>> {
    const before = await this.#undecided(tx, id, 'reject', ['open', 'accepted'])
    const after = this.#decided(before, actor, 'rejected', note, before.level)
    await store.updateSuggestion(tx, after)
    const given = before.status === 'accepted' ? await this.#givenBy(tx, before) : undefined
    const untagged = given === undefined ? [] : (await this.#needs.classification.untag(tx, actor, given)).changes
    return { answer: toSuggestion(after), changes: [changeOf(before, after), ...untagged] }
  }

  /** The label that a suggestion has given; undefined where somebody has changed it since, or another suggestion wants it too. */
  async #givenBy(tx: Db, { id, resource, column_name, level }: SuggestionRow): Promise<string | undefined> {
    const has = await lockClassified(tx, resource, JSON.stringify([column_name]))
    if (has === undefined || has.level !== level) return undefined
    const others = await store.lockSuggestionsOf(tx, resource)
    const isWanted = others.some(
      (other) => other.id !== id && other.column_name === column_name && other.status === 'accepted'
    )
    return isWanted ? undefined : has.id
  }

  /** A column never gets a lower level than it has by the way: only who names one can lower it. */
  async #stricter(tx: Db, { resource, column_name, level }: SuggestionRow): Promise<string> {
    const has = await lockClassified(tx, resource, JSON.stringify([column_name]))
    if (has === undefined) return level
    const [own, suggested] = [await findLevelByName(tx, has.level), await findLevelByName(tx, level)]
    return (own?.rank ?? -1) > (suggested?.rank ?? -1) ? has.level : level
  }

  async #undecided(
    tx: Db,
    id: string,
    operation: string,
    allowedFrom: readonly SuggestionRow['status'][]
  ): Promise<SuggestionRow> {
    const row = await orNotFound(store.lockSuggestion(tx, id))
    if (allowedFrom.includes(row.status)) return row
    const detail = `The suggestion is ${row.status} already; to ${operation} it, it has to be ${allowedFrom.join(' or ')}.`
    throw new Problem('illegal_transition', { detail, members: { currentStatus: row.status, allowedFrom, operation } })
  }

  #decided(
    before: SuggestionRow,
    actor: Actor,
    status: SuggestionRow['status'],
    note: string,
    level: string
  ): SuggestionRow {
    const { clock } = this.#needs
    const decision = { status, note, level, decided_by: actor.id, decided_at: clock.iso() }
    return { ...before, ...decision, ...nextStamps(before, clock) }
  }
}

const changeOf = (before: SuggestionRow, after: SuggestionRow) =>
  ({
    type: 'classification-suggestion',
    id: after.id,
    before: toSuggestion(before),
    after: toSuggestion(after)
  }) as const
