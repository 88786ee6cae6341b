import type { Clock } from '../../../engines/clock.ts'
import type { Role } from '../../../engines/identity/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps } from '../../../http/rows.ts'
import type { ClearanceRow } from '../migrations.ts'
import type { Classification } from '../service.ts'
import { type Clearance, type ClearanceUpdate, ROLES } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly classification: Pick<Classification, 'requireLevel'>
}

/** What roles may see, as administrators set it. */
export class Clearances {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(): Promise<{ clearances: Clearance[] }> {
    const rows = new Map((await store.findClearances(this.#needs.metadata.db)).map((row) => [row.role, row]))
    return { clearances: ROLES.map((role) => this.#show(role, rows.get(role))) }
  }

  async update(tx: Db, name: string, { level }: ClearanceUpdate): Promise<Outcome<Clearance>> {
    const { clock, classification } = this.#needs
    const role = ROLES.find((one) => one === name)
    if (role === undefined)
      throw new Problem('not_found', { detail: `There is no role of this name; there is ${ROLES.join(', ')}.` })
    if (level !== null) await classification.requireLevel(tx, level, '/level')
    const before = await store.lockClearance(tx, role)
    const row: ClearanceRow =
      before === undefined ? { role, level, ...firstStamps(clock) } : { ...before, level, ...nextStamps(before, clock) }
    await store.saveClearance(tx, row)
    const after = this.#show(role, row)
    const change = { type: 'classification-clearance' as const, id: role, before: this.#show(role, before), after }
    return { answer: after, changes: [change] }
  }

  #show(role: Role, row: ClearanceRow | undefined): Clearance {
    return {
      role,
      level: row?.level ?? null,
      seesNothingClassified: row === undefined,
      version: row?.version ?? 1,
      updatedAt: row?.updated_at ?? this.#needs.clock.iso()
    }
  }
}
