import {
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelTarget,
  CONFIG_SCHEMAS,
  checkConfig,
  secretFields,
  secretPlaces
} from '../../../engines/channels/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import { faultsOf } from '../../../http/compilers.ts'
import type { Uses } from '../../../http/in-use.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import { completeConfig, isRecord, requireSamePlaces } from '../../../http/sealed-config.ts'
import type { ChannelRow } from '../notifications/migrations.ts'
import { lookAt } from '../notifications/waking.ts'
import { readSettings, requireSettings, settingsOf } from './definition.ts'
import type { Channel, ChannelCreate, ChannelQuery, ChannelUpdate } from './schema.ts'
import { openChannel, sealedConfig } from './secrets.ts'
import * as store from './store.ts'
import { factsOf, toChannel } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly uses: Uses
  readonly jobs: Jobs
}

/** The configuration of a channel that is made or changed, checked before its transaction begins. */
interface Prepared {
  readonly id: string
  readonly columns: Pick<ChannelRow, 'type' | 'config' | 'secrets'>
  /** That of the channel that it was checked with. */
  readonly version: number
}

const INSTEAD = 'disable it to have nothing sent'

/** Whom alerts are told to. */
export class AlertChannels {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  types() {
    return { types: CHANNEL_KINDS.map((type) => ({ type, config: CONFIG_SCHEMAS[type] })) }
  }

  async list(query: ChannelQuery) {
    const { rows, total, nextCursor } = await store.listChannels(this.#needs.metadata.db, query)
    return { channels: rows.map(toChannel), total, nextCursor }
  }

  async get(id: string): Promise<Channel> {
    return toChannel(await orNotFound(store.findChannel(this.#needs.metadata.db, id)))
  }

  async prepareNew(body: ChannelCreate): Promise<Prepared> {
    requireSettings(body)
    const id = this.#needs.makeId('chn')
    const { config } = completeConfig(requireObject(body.config), {}, secretFields(body.type))
    const target = await checkedTarget(body.type, config)
    return { id, columns: sealedConfig(this.#needs.vault, id, target), version: 0 }
  }

  /** Undefined where nothing is said of the configuration. */
  async prepareChange(id: string, body: ChannelUpdate): Promise<Prepared | undefined> {
    const { metadata, vault } = this.#needs
    requireSettings(body)
    if (body.type === undefined && body.config === undefined) return undefined
    const known = await orNotFound(store.findChannel(metadata.db, id))
    const { type = known.type } = body
    const isSame = type === known.type
    if (body.config === undefined && isSame) return undefined
    if (body.config === undefined) throw invalidField('/config', `is required: it has to be that of type ${type}`)
    const before = openChannel(vault, known)
    const { config, kept } = completeConfig(
      requireObject(body.config),
      isSame ? { ...before.config } : {},
      secretFields(type)
    )
    const target = await checkedTarget(type, config)
    if (isSame) requireSamePlaces(kept, secretPlaces(before), secretPlaces(target))
    return { id, columns: sealedConfig(vault, id, target), version: known.version }
  }

  async create(tx: Db, actor: Actor, body: ChannelCreate, { id, columns }: Prepared): Promise<Outcome<Channel>> {
    const row: ChannelRow = {
      id,
      name: body.name,
      ...columns,
      settings: JSON.stringify(settingsOf(body)),
      enabled: body.enabled === false ? 0 : 1,
      held_until_ms: null,
      failures: 0,
      failing_since: null,
      last_error: null,
      last_sent_at: null,
      created_by: actor.id,
      ...firstStamps(this.#needs.clock)
    }
    await orNameTaken(() => store.insertChannel(tx, row))
    return { answer: toChannel(row), changes: [{ type: 'alert-channel', id, after: factsOf(row) }] }
  }

  /** What was held back, or is told in another way now, is looked at at once. */
  async update(tx: Db, id: string, body: ChannelUpdate, prepared: Prepared | undefined): Promise<Outcome<Channel>> {
    const { clock } = this.#needs
    const before = await orNotFound(store.lockChannel(tx, id))
    // Its secrets were kept from what was stored then.
    if (prepared !== undefined && prepared.version !== before.version) throw new Problem('stale_version')
    const enabled = body.enabled === undefined ? before.enabled : Number(body.enabled)
    const row: ChannelRow = {
      ...before,
      ...prepared?.columns,
      // The receiver that was to be left alone may be another now.
      ...(prepared !== undefined && { held_until_ms: null }),
      name: body.name ?? before.name,
      settings: JSON.stringify(settingsOf(body, readSettings(before))),
      enabled,
      ...nextStamps(before, clock)
    }
    await orNameTaken(() => store.updateChannel(tx, row))
    if (enabled > before.enabled || row.settings !== before.settings) {
      await store.wakeGroups(tx, id, clock.now())
      await lookAt(tx, this.#needs.jobs, clock.now())
    }
    return {
      answer: toChannel(row),
      changes: [{ type: 'alert-channel', id, before: factsOf(before), after: factsOf(row) }]
    }
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockChannel(tx, id))
    await this.#needs.uses.requireUnused(tx, { type: 'alert-channel', id }, INSTEAD)
    await store.deleteChannel(tx, id)
    return { answer: null, changes: [{ type: 'alert-channel', id, before: factsOf(row) }] }
  }
}

function requireObject(config: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(config)) throw invalidField('/config', 'must be a JSON object')
  return config
}

async function checkedTarget(type: ChannelKind, config: object): Promise<ChannelTarget> {
  // Of its own type it is once the schema says so.
  const target = { type, config } as ChannelTarget
  const faults = faultsOf(CONFIG_SCHEMAS[type], config)
  if (faults.length === 0) faults.push(...(await checkConfig(target)))
  if (faults.length === 0) return target
  const errors = faults.map(({ pointer, message }) => ({ pointer: `/config${pointer}`, message }))
  throw new Problem('invalid_request', { errors })
}
