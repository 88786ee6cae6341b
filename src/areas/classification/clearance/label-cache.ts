import type { DataReference } from '../../../data/reference.ts'
import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Role } from '../../../engines/identity/index.ts'
import { Known } from '../../../engines/known.ts'
import { isWatched, type Metadata } from '../../../engines/metadata/index.ts'
import { LABEL_TABLES, readLabels } from './labels.ts'
import { MAX_LABELS, OwnerLabels } from './owner-labels.ts'
import { listClearances } from './store.ts'

/** How long it may go unnoticed that another replica has changed a label. */
const KNOWN_FOR_MS = 1000
/** Labels that are kept in memory, and owners of data that have none. */
const MAX_KEPT = 50_000

/** What tells of labels that have changed, where the database itself does not. */
const TELLING = [
  'classification.*',
  'classification-level.*',
  'classification-clearance.*',
  'classification-suggestion.*',
  'bucket.*',
  'catalog-source.*'
] as const

/** What a role may see. */
export interface RoleClearance {
  /** The name of the level; null where it sees nothing that has one, or everything, which the rank tells. */
  readonly level: string | null
  readonly rank: number
}

/** Sees nothing that has a level. */
export const NO_CLEARANCE: RoleClearance = { level: null, rank: -1 }

interface Needs {
  readonly metadata: Pick<Metadata, 'db'>
  readonly clock: Pick<Clock, 'elapsed'>
  readonly bus: Pick<Bus, 'subscribe'>
}

/** Labels and clearances, which every read asks for: kept while they stand still. */
export class LabelCache {
  readonly #needs: Needs
  readonly #labels: Known<OwnerLabels>
  readonly #clearances: Known<ReadonlyMap<Role, RoleClearance>>
  #stamp = ''

  constructor(needs: Needs) {
    this.#needs = needs
    this.#labels = new Known(needs.clock, MAX_KEPT, ({ size }) => size + 1)
    this.#clearances = new Known(needs.clock, 1)
  }

  start(): void {
    for (const pattern of TELLING) this.#needs.bus.subscribe(pattern, () => this.forget())
  }

  async labelsOf(owner: Pick<DataReference, 'scheme' | 'owner'>): Promise<OwnerLabels> {
    const key = `${owner.scheme}://${owner.owner}`
    const known = this.#labels.get(key, this.#lookedAt())
    if (known !== undefined) return known
    return this.#labels.ask(
      key,
      async () => new OwnerLabels(await readLabels(this.#needs.metadata.db, owner, MAX_LABELS + 1))
    )
  }

  async clearanceOf(role: Role | undefined): Promise<RoleClearance> {
    return (role && (await this.#all()).get(role)) ?? NO_CLEARANCE
  }

  /** The least that any role may see: what is shown to everybody has no level above it. */
  async least(): Promise<RoleClearance> {
    const all = await this.#all()
    if (all.size < ROLE_COUNT) return NO_CLEARANCE
    return [...all.values()].reduce((least, one) => (one.rank < least.rank ? one : least))
  }

  async #all(): Promise<ReadonlyMap<Role, RoleClearance>> {
    const known = this.#clearances.get('', this.#lookedAt())
    return known ?? this.#clearances.ask('', () => this.#readClearances())
  }

  async #readClearances(): Promise<ReadonlyMap<Role, RoleClearance>> {
    const rows = await listClearances(this.#needs.metadata.db)
    return new Map(
      rows.map(({ role, level, rank }) => {
        return [role, { level, rank: level === null ? Number.POSITIVE_INFINITY : Number(rank ?? -1) }]
      })
    )
  }

  /** Forgets what may have changed, and answers for how long what is left is known. */
  #lookedAt(): number {
    const { metadata } = this.#needs
    if (!isWatched(metadata)) return KNOWN_FOR_MS
    let stamp = ''
    for (const table of LABEL_TABLES) stamp += `${metadata.changesOf(table)},`
    if (stamp !== this.#stamp) this.forget()
    this.#stamp = stamp
    return Number.POSITIVE_INFINITY
  }

  /** Has everything looked for again. */
  forget(): void {
    this.#labels.forget()
    this.#clearances.forget()
  }
}

const ROLE_COUNT = 3
