import type { AreaNeeds, ScheduleTargets } from '../../../area.ts'
import { parseReference } from '../../../data/reference.ts'
import { strangeFields } from '../../../engines/places/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { faultsOf } from '../../../http/compilers.ts'
import type { Resource } from '../../../http/in-use.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import type { ScheduleTarget, TargetConfig, TargetOrder } from '../../../schedule-target.ts'
import { invalidField, Problem } from '../errors.ts'
import type { ScheduleRow } from '../migrations.ts'
import type { TargetBody } from './schema.ts'
import { usesOf } from './uses.ts'

const MASK = '********'

type TargetColumns = Pick<ScheduleRow, 'target_type' | 'target_id' | 'target_config' | 'target_secrets'>

export interface PreparedTarget {
  readonly columns: TargetColumns
  /** What must not be deleted without a word. */
  readonly uses: readonly Resource[]
}

/** What schedules can have done on this server. */
export class Targets {
  readonly #declared: ScheduleTargets
  readonly #needs: AreaNeeds
  readonly #vault: Vault
  readonly #loaded = new Map<string, Promise<ScheduleTarget>>()

  constructor(needs: AreaNeeds) {
    this.#declared = needs.scheduleTargets
    this.#needs = needs
    this.#vault = needs.vault
  }

  names(): string[] {
    return Object.keys(this.#declared).sort()
  }

  async find(type: string): Promise<ScheduleTarget | undefined> {
    if (!Object.hasOwn(this.#declared, type)) return undefined
    let target = this.#loaded.get(type)
    if (target === undefined) {
      target = (this.#declared[type] as ScheduleTargets[string])(this.#needs)
      this.#loaded.set(type, target)
      target.catch(() => this.#loaded.delete(type))
    }
    return target
  }

  /** Whether the lineage is told of its runs; one that can't be loaded has told nothing. */
  async tellsLineage(type: string): Promise<boolean> {
    const target = await this.find(type).catch(() => undefined)
    return target?.tellsLineage === true
  }

  async list() {
    const targets = this.names().map(async (type) => {
      const { about, resource = null, permissions, config } = (await this.find(type)) as ScheduleTarget
      return { type, about, resource, permissions: [...permissions], config: config as Record<string, unknown> }
    })
    return { targets: await Promise.all(targets) }
  }

  /** What a schedule orders of its target, with its secrets. */
  orderOf(row: TargetColumns & Pick<ScheduleRow, 'id'>): TargetOrder {
    const config = { ...(JSON.parse(row.target_config) as TargetConfig), ...this.#secretsOf(row) }
    return { id: row.target_id ?? undefined, config }
  }

  #secretsOf({ id, target_secrets }: TargetColumns & Pick<ScheduleRow, 'id'>): TargetConfig {
    if (target_secrets === null) return {}
    return JSON.parse(this.#vault.open(target_secrets, contextOf(id))) as TargetConfig
  }

  /** Checks the target of a schedule, which may ask other areas, and answers it as it is kept. */
  async prepare(actor: Actor, id: string, body: TargetBody, known?: ScheduleRow): Promise<PreparedTarget> {
    const target = await this.#require(body.type)
    requireId(target, body)
    requirePermissions(actor, body.type, target)
    requireObject(body.config)
    const config = this.#unmasked(target, body, known)
    const faults = faultsOf(target.config, config)
    if (faults.length > 0) {
      const errors = faults.map(({ pointer, message }) => ({ pointer: `/target/config${pointer}`, message }))
      throw new Problem('invalid_request', { errors })
    }
    const order = { id: body.id, config }
    // Before anything is read: what goes wrong there may quote the data.
    await this.requireClearance(actor, target, order)
    await target.check?.(order)
    const columns = { target_type: body.type, target_id: body.id ?? null, ...this.#hidden(target, id, config) }
    return { columns, uses: usesOf(target, order) }
  }

  /** One that no area offers any more does nothing, and may be cleared away by whoever may write schedules. */
  async requireRights(actor: Actor, row: TargetColumns & Pick<ScheduleRow, 'id'>, starts: boolean): Promise<void> {
    const target = await this.find(row.target_type)
    if (target === undefined) return
    requirePermissions(actor, row.target_type, target)
    if (starts) await this.requireClearance(actor, target, this.orderOf(row))
  }

  /** What it reads, it reads as the platform: whoever has that done must be allowed to see the data. */
  async requireClearance(actor: Pick<Actor, 'role'>, target: ScheduleTarget, order: TargetOrder): Promise<void> {
    if (target.reads === undefined) return
    const { guard } = await this.#needs.service('classification')
    // What is no reference is refused by the check, and reads nothing.
    const references = (await target.reads(order)).filter((text) => !('problem' in parseReference(text)))
    await guard.requireAll(actor, references)
  }

  async #require(type: string): Promise<ScheduleTarget> {
    const target = await this.find(type)
    if (target !== undefined) return target
    const detail = `There is no target of type ${type}; there is ${this.names().join(', ')}.`
    throw new Problem('unknown_target', { detail, members: { targets: this.names() } })
  }

  #hidden(target: ScheduleTarget, id: string, config: TargetConfig) {
    const names = (target.secrets ?? []).filter((name) => Object.hasOwn(config, name))
    const secrets = Object.fromEntries(names.map((name) => [name, config[name]]))
    const masked = { ...config, ...Object.fromEntries(names.map((name) => [name, MASK])) }
    const sealed = names.length === 0 ? null : this.#vault.seal(JSON.stringify(secrets), contextOf(id))
    return { target_config: JSON.stringify(masked), target_secrets: sealed }
  }

  /** The configuration with the stored secrets in place of masks, where they go to the same place as before. */
  #unmasked(target: ScheduleTarget, { type, config = {} }: TargetBody, known: ScheduleRow | undefined): TargetConfig {
    const masked = (target.secrets ?? []).filter((name) => config[name] === MASK)
    if (masked.length === 0) return config
    const before = known?.target_type === type ? this.orderOf(known).config : {}
    const whole = { ...config, ...Object.fromEntries(masked.map((name) => [name, before[name]])) }
    for (const name of masked) {
      if (before[name] === undefined) throw invalidField(`/target/config/${name}`, 'must be the secret itself')
    }
    const strange = target.placeOf === undefined ? [] : strangeFields(target.placeOf(before), target.placeOf(whole))
    if (strange.length > 0) {
      const message = `was given for another ${strange.join(', ')}; send it itself, or ${strange.join(', ')} as before`
      const errors = masked.map((name) => ({ pointer: `/target/config/${name}`, message }))
      throw new Problem('secret_bound', { errors })
    }
    return whole
  }
}

const contextOf = (id: string) => `schedule:${id}/target`

function requirePermissions(actor: Actor, type: string, { permissions }: ScheduleTarget): void {
  const lacking = permissions.find((permission) => !can(actor, permission))
  if (lacking === undefined) return
  const detail = `A schedule with the target ${type} needs the permission ${lacking}, which you do not have.`
  throw new Problem('permission_denied', { detail, members: { permission: lacking } })
}

function requireObject(config: unknown): void {
  if (config === undefined || (typeof config === 'object' && config !== null && !Array.isArray(config))) return
  throw invalidField('/target/config', 'must be a JSON object')
}

function requireId({ resource }: ScheduleTarget, { type, id }: TargetBody): void {
  if (resource !== undefined && id === undefined) {
    throw invalidField('/target/id', `is required: it names the ${resource} of the target ${type}`)
  }
  if (resource === undefined && id !== undefined) throw invalidField('/target/id', `is not taken by the target ${type}`)
}
