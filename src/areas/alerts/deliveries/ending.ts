import type { Sent } from '../../../engines/channels/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { findChannel, noteSend } from '../channels/store.ts'
import type { ChannelRow, DeliveryRow, DeliveryState } from '../notifications/migrations.ts'
import { paceOf, settingsOf } from '../notifications/pace.ts'
import { dropMembers, noteTold, noteTried, updateGroup } from '../notifications/store.ts'
import { lookAt } from '../notifications/waking.ts'
import { HELD_FROM, holdAfter, waitAfter } from './backoff.ts'
import * as store from './store.ts'

interface Needs {
  readonly clock: Clock
  readonly jobs: Jobs
}

export interface Attempted {
  /** As it was claimed. */
  readonly delivery: DeliveryRow
  readonly sent: Sent
  readonly at: string
  readonly durationMs: number
}

/** Writes down what came of an attempt: the message arrived, is tried again, or is given up. */
export async function endAttempt(tx: Db, needs: Needs, { delivery, sent, at, durationMs }: Attempted): Promise<void> {
  const { clock } = needs
  const { id, attempts } = delivery
  const isCutOff = sent.code === 'aborted'
  await store.insertAttempt(tx, {
    delivery_id: id,
    number: attempts,
    at,
    duration_ms: durationMs,
    outcome: isCutOff ? 'unknown' : sent.outcome,
    status: sent.status,
    code: sent.code,
    answer: sent.answer
  })
  // Another process goes on at once.
  if (isCutOff) return void (await store.updateDelivery(tx, id, { next_ms: clock.now() }))
  const channel = await findChannel(tx, delivery.channel_id)
  // A test that fails is seen by whoever asked for it.
  if (channel !== undefined && (delivery.kind !== 'test' || sent.outcome === 'sent')) {
    await noteOutcome(tx, channel, sent, clock)
  }
  const state = stateAfter(delivery, sent)
  const isOver = state !== 'waiting'
  await store.updateDelivery(tx, id, {
    state,
    next_ms: isOver ? null : clock.now() + waitAfter(attempts, sent.retryAfterMs),
    ended_at: isOver ? clock.iso() : null
  })
  if (isOver && delivery.group_id !== null && channel !== undefined) {
    await closeInGroup(tx, needs, { ...delivery, group_id: delivery.group_id }, channel, state)
  }
}

/** The channel is gone: nobody can be told any more. */
export async function endWithout(tx: Db, { id, attempts }: DeliveryRow, clock: Clock): Promise<void> {
  await store.insertAttempt(tx, {
    delivery_id: id,
    number: attempts,
    at: clock.iso(),
    duration_ms: 0,
    outcome: 'refused',
    status: null,
    code: 'channel_deleted',
    answer: 'The channel was deleted before it was sent'
  })
  await store.updateDelivery(tx, id, { state: 'refused', next_ms: null, ended_at: clock.iso() })
}

function stateAfter({ attempts, max_attempts }: DeliveryRow, { outcome }: Sent): DeliveryState {
  if (outcome !== 'failed') return outcome
  return attempts < max_attempts ? 'waiting' : 'failed'
}

async function noteOutcome(tx: Db, channel: ChannelRow, sent: Sent, clock: Clock): Promise<void> {
  if (sent.outcome === 'sent') {
    const well = { failures: 0, failing_since: null, last_error: null, held_until_ms: null }
    await noteSend(tx, channel.id, { ...well, last_sent_at: clock.iso() })
    // Whoever was away is back: what waits need not wait any longer.
    if (channel.failures >= HELD_FROM) await store.tryNow(tx, channel.id, clock.now())
    return
  }
  const failures = channel.failures + 1
  const holdMs = sent.outcome === 'failed' ? holdAfter(failures, sent.retryAfterMs) : 0
  await noteSend(tx, channel.id, {
    failures,
    failing_since: channel.failing_since ?? clock.iso(),
    last_error: `${sent.code}: ${sent.answer}`,
    held_until_ms: holdMs > 0 ? clock.now() + holdMs : null
  })
}

/** What arrived is known to the channel; what did not is news still. The group may speak again after its interval. */
async function closeInGroup(
  tx: Db,
  { clock, jobs }: Needs,
  { id, group_id }: DeliveryRow & { group_id: string },
  channel: ChannelRow,
  state: DeliveryState
): Promise<void> {
  if (state === 'sent') {
    const told = Map.groupBy(await store.alertsOf(tx, id), (about) => about.state)
    const ids = (of: 'firing' | 'acknowledged' | 'resolved') => (told.get(of) ?? []).map(({ alert_id }) => alert_id)
    await noteTold(tx, group_id, ids('firing'), 'firing')
    await noteTold(tx, group_id, ids('acknowledged'), 'acknowledged')
    await dropMembers(tx, group_id, ids('resolved'))
  } else if (state === 'failed') {
    const unsure = (await store.alertsOf(tx, id)).filter((about) => about.state === 'firing')
    await noteTried(
      tx,
      group_id,
      unsure.map(({ alert_id }) => alert_id)
    )
  }
  const { intervalMs } = paceOf(settingsOf(channel))
  // From when it arrived: it may have waited for long.
  const toldMs = clock.now()
  const nextMs = toldMs + intervalMs
  await updateGroup(tx, group_id, { delivery_id: null, told_ms: toldMs, next_ms: nextMs })
  await lookAt(tx, jobs, nextMs)
}
