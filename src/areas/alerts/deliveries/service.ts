import type { Message } from '../../../engines/channels/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { wait } from '../../../engines/timing.ts'
import type { Outcome, Performed } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { findChannel } from '../channels/store.ts'
import { Problem } from '../errors.ts'
import { messageOf, type Origin } from '../notifications/message.ts'
import { settingsOf } from '../notifications/pace.ts'
import { sendNow } from '../notifications/waking.ts'
import type { Delivery, DeliveryQuery, WholeDelivery } from './schema.ts'
import * as store from './store.ts'
import { testAlert } from './test-alert.ts'
import { toDelivery, toWhole } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly config: Origin
}

const REPLAY_ATTEMPTS = 5
/** How long the one who tests a channel waits for what comes of it. */
const TEST_MS = 40_000
const LOOK_MS = 100

/** What was sent to channels, each message with all attempts. */
export class Deliveries {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: DeliveryQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listDeliveries(db, query)
    const ids = rows.map(({ id }) => id)
    const attempts = await store.attemptsOf(db, ids)
    return { deliveries: rows.map((row) => toDelivery(row, attempts.get(row.id))), total, nextCursor }
  }

  async get(id: string): Promise<WholeDelivery> {
    const { db } = this.#needs.metadata
    const row = await orNotFound(store.findDelivery(db, id))
    return toWhole(row, (await store.attemptsOf(db, [id])).get(id), await store.alertsOf(db, id))
  }

  /** Says the same once more, to the channel as it is now. */
  async replay(tx: Db, id: string): Promise<Outcome<Delivery>> {
    const { clock, makeId, jobs } = this.#needs
    const before = await orNotFound(store.lockDelivery(tx, id))
    if (before.state === 'waiting') {
      throw new Problem('illegal_transition', {
        detail: 'The message is still being tried; only one that has ended can be sent again.',
        members: { currentStatus: before.state, allowedFrom: ['sent', 'refused', 'failed'], operation: 'replay' }
      })
    }
    const channel = await findChannel(tx, before.channel_id)
    if (channel === undefined) throw new Problem('channel_deleted')
    const row = await store.insertDelivery(tx, {
      id: makeId('dlv'),
      channel,
      groupId: null,
      message: JSON.parse(before.message) as Message,
      alerts: (await store.alertsOf(tx, id)).map(({ alert_id, state }) => ({ id: alert_id, state })),
      maxAttempts: REPLAY_ATTEMPTS,
      replayOf: id,
      nowMs: clock.now()
    })
    await sendNow(tx, jobs, channel.id)
    return { answer: toDelivery(row), changes: [{ type: 'alert-delivery', id: row.id, after: toDelivery(row) }] }
  }

  /** Sends a message about an invented alert, the same way as all others, but once. */
  async test(channelId: string): Promise<Performed<WholeDelivery>> {
    const { metadata, clock, makeId, jobs, config } = this.#needs
    const channel = await orNotFound(findChannel(metadata.db, channelId))
    const id = makeId('dlv')
    const alert = testAlert(clock.iso())
    const draft = {
      kind: 'test',
      groupKey: `test/${id}`,
      groupLabels: { rule: alert.rule_name },
      alerts: [alert]
    } as const
    const message = messageOf(draft, settingsOf(channel), config, clock.now())
    await metadata.transaction(async (tx) => {
      const facts = { id, channel, groupId: null, message, alerts: [], maxAttempts: 1, replayOf: null }
      await store.insertDelivery(tx, { ...facts, nowMs: clock.now() })
      await sendNow(tx, jobs, channelId)
    })
    jobs.wake()
    await this.#ended(id)
    const answer = await this.get(id)
    return { answer, changes: [{ type: 'alert-delivery', id, after: answer }] }
  }

  async #ended(id: string): Promise<void> {
    const { metadata, clock } = this.#needs
    const untilMs = clock.elapsed() + TEST_MS
    while (clock.elapsed() < untilMs) {
      if ((await store.findDelivery(metadata.db, id))?.state !== 'waiting') return
      await wait(clock, LOOK_MS)
    }
  }
}
