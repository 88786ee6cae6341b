import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs, Worker } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { insertDelivery } from '../deliveries/store.ts'
import { type Holding, readHolding } from '../silences/holding.ts'
import { mutedUntil } from '../silences/mute.ts'
import { escalate } from './escalation.ts'
import { hasToEscalate } from './escalation-store.ts'
import type { GroupNotices } from './group-notices.ts'
import { messageOf, type Origin } from './message.ts'
import { paceOf, settingsOf } from './pace.ts'
import * as store from './store.ts'
import { type Member, tell } from './telling.ts'
import { lookAt, sendNow } from './waking.ts'

/** Groups that are looked at in one transaction. */
const AT_ONCE = 50
const MAX_ATTEMPTS = 12

export interface TellerNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly notices: GroupNotices
  readonly config: Origin
}

/** Looks at the groups that are due, and makes the messages that they have to tell. */
export function teller(needs: TellerNeeds): Worker<null> {
  const { metadata, clock, jobs } = needs
  return async ({ signal, commit }) => {
    while (!signal.aborted && (await hasToEscalate(metadata.db, clock.now()))) {
      await commit((tx) => escalate(tx, needs))
    }
    while (!signal.aborted) {
      const ids = (await store.dueGroups(metadata.db, clock.now(), AT_ONCE)).map(({ id }) => id)
      if (ids.length === 0) return
      const holding = await readHolding(metadata.db, clock.now())
      const isWaiting = await commit(async (tx) => {
        const channels = new Set<string>()
        for (const group of await store.lockDue(tx, ids, clock.now())) {
          if (await look(tx, needs, group, holding)) channels.add(group.channel_id)
        }
        for (const channelId of channels) await sendNow(tx, jobs, channelId)
        return channels.size > 0
      })
      if (isWaiting) jobs.wake()
    }
  }
}

/** Looks at one group; answers whether there is a message to send. */
async function look(tx: Db, needs: TellerNeeds, group: store.LockedGroup, holding: Holding): Promise<boolean> {
  const { clock, jobs } = needs
  const nowMs = clock.now()
  const settings = settingsOf(group)
  const again = async (ms: number | null) => {
    await store.updateGroup(tx, group.id, { next_ms: ms })
    if (ms !== null) await lookAt(tx, jobs, ms)
    return false
  }
  // Whoever enables it again has its groups looked at.
  if (group.enabled === 0) return again(null)
  const mutedMs = mutedUntil(settings, nowMs)
  if (mutedMs !== null) return again(mutedMs)
  const members = await store.membersOf(tx, group.id)
  const told = tell(
    members.map((member) => memberOf(member, holding)),
    paceOf(settings),
    group.told_ms,
    nowMs
  )
  if (told.isOver) {
    await store.deleteGroup(tx, group.id)
    return false
  }
  await store.dropMembers(tx, group.id, told.dropped)
  if (told.message === undefined) return again(told.nextMs)
  const byId = new Map(members.map(({ alert }) => [alert.id, alert]))
  const alerts = told.message.alertIds.flatMap((id) => byId.get(id) ?? [])
  const groupLabels = Object.fromEntries(JSON.parse(group.key) as [string, string][])
  const draft = { kind: told.message.kind, groupKey: `${group.channel_id}/${group.key}`, groupLabels, alerts }
  const id = needs.makeId('dlv')
  await insertDelivery(tx, {
    id,
    channel: { id: group.channel_id, name: group.name, type: group.type },
    groupId: group.id,
    message: messageOf(draft, settings, needs.config, nowMs),
    alerts,
    maxAttempts: MAX_ATTEMPTS,
    replayOf: null,
    nowMs
  })
  await store.updateGroup(tx, group.id, { delivery_id: id, told_ms: nowMs, next_ms: null })
  return true
}

function memberOf({ alert, told, step }: store.MemberAlert, holding: Holding): Member {
  const isHeld = alert.state !== 'resolved' && holding.heldBy(alert) !== undefined
  return { alertId: alert.id, state: alert.state, told, isHeld, step }
}
