import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Outcome, updated } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { parseTime, TIME_FORM } from '../../../http/times.ts'
import { deliveriesOf } from '../deliveries/of-alerts.ts'
import { silenced } from '../evaluation/states.ts'
import { findOpenInstance, rowOf, saveInstances, stateOf, updateRuleState } from '../evaluation/store.ts'
import type { AlertRow } from '../migrations.ts'
import type { Notices } from '../notices.ts'
import type { AlertState } from '../rules/words.ts'
import { readHolding } from '../silences/holding.ts'
import { resolvedAlert } from './closing.ts'
import type { Acknowledgement, Alert, AlertQuery, Resolution } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly notices: Notices
}

const REOPENED_AT_ONCE = 500

/** Every time that an instance fired, and what people say of it. */
export class History {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list({ from, to, label, ...query }: AlertQuery) {
    const { metadata } = this.#needs
    const colon = label?.indexOf(':') ?? 0
    const { rows, total, nextCursor } = await store.listAlerts(metadata.db, {
      ...query,
      from: this.#time(from, '/query/from'),
      to: this.#time(to, '/query/to'),
      label: label === undefined ? undefined : { name: label.slice(0, colon), value: label.slice(colon + 1) }
    })
    return { alerts: await this.#withSending(rows), total, nextCursor }
  }

  async get(id: string): Promise<Alert> {
    const row = await orNotFound(store.findAlert(this.#needs.metadata.db, id))
    const [alert] = await this.#withSending([row])
    return alert as Alert
  }

  /** Alerts with who was told of them, and what keeps people from being told. */
  async #withSending(rows: readonly AlertRow[]): Promise<Alert[]> {
    const { metadata, clock } = this.#needs
    const isOpen = ({ state }: AlertRow) => OPEN.includes(state)
    const holding = rows.some(isOpen) ? await readHolding(metadata.db, clock.now()) : undefined
    const deliveries = await deliveriesOf(
      metadata.db,
      rows.map(({ id }) => id)
    )
    return rows.map((row) => ({
      ...store.toAlert(row),
      deliveries: deliveries.get(row.id) ?? [],
      heldBy: (isOpen(row) ? holding?.heldBy(row) : undefined) ?? null
    }))
  }

  /** Acknowledging once more changes the note and the time. */
  async acknowledge(tx: Db, actor: Actor, id: string, { note, until }: Acknowledgement): Promise<Outcome<Alert>> {
    const { clock, notices } = this.#needs
    const before = await orNotFound(store.lockAlert(tx, id))
    requireOpen(before, 'acknowledge')
    const acknowledgedUntil = until === undefined ? null : toIso(Date.parse(until))
    if (acknowledgedUntil !== null && acknowledgedUntil <= clock.iso()) {
      throw invalidField('/until', 'must be in the future')
    }
    const after: AlertRow = {
      ...before,
      state: 'acknowledged',
      acknowledged_at: clock.iso(),
      acknowledged_by: actor.id,
      acknowledged_until: acknowledgedUntil,
      note: note ?? before.note,
      version: before.version + 1
    }
    await store.updateAlert(tx, after)
    await notices.changed(tx, [after], 'acknowledged')
    return updated('alert', store.toAlert(before), store.toAlert(after))
  }

  /**
   * Its instance stays silent until the condition was false once: else the next evaluation would fire again what
   * somebody has just called over.
   */
  async resolve(tx: Db, actor: Actor, id: string, { note }: Resolution): Promise<Outcome<Alert>> {
    const { clock, notices } = this.#needs
    const before = await orNotFound(store.lockAlert(tx, id))
    requireOpen(before, 'resolve')
    const after = { ...resolvedAlert(before, 'manual', clock.iso(), actor.id), note: note ?? before.note }
    await store.updateAlert(tx, after)
    const instance = await findOpenInstance(tx, before.rule_id, id)
    if (instance !== undefined) {
      const quiet = silenced(stateOf(instance), clock.now())
      await saveInstances(tx, [rowOf(instance.rule_id, instance.labels, quiet, null)])
      await updateRuleState(tx, before.rule_id)
    }
    await notices.changed(tx, [after], 'resolved')
    return updated('alert', store.toAlert(before), store.toAlert(after))
  }

  /** Makes some of the alerts fire again whose acknowledgement has run out. */
  async reopen(tx: Db): Promise<void> {
    const { clock, notices } = this.#needs
    const rows = await store.lockRunOut(tx, clock.iso(), REOPENED_AT_ONCE)
    const reopened: AlertRow[] = []
    for (const row of rows) {
      const after: AlertRow = { ...row, state: 'firing', acknowledged_until: null, version: row.version + 1 }
      await store.updateAlert(tx, after)
      reopened.push(after)
    }
    await notices.changed(tx, reopened, 'reopened')
  }

  #time(text: string | undefined, pointer: string): string | undefined {
    if (text === undefined) return undefined
    const ns = parseTime(text, this.#needs.clock.now())
    if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
    return toIso(Number(ns / 1_000_000n))
  }
}

const OPEN: readonly AlertState[] = ['firing', 'acknowledged']

function requireOpen({ state, resolved_at }: AlertRow, operation: string): void {
  if (OPEN.includes(state)) return
  throw new Problem('illegal_transition', {
    detail: `The alert was resolved at ${resolved_at}; only one that is ${OPEN.join(' or ')} can be ${operation}d.`,
    members: { currentStatus: state, allowedFrom: OPEN, operation }
  })
}
