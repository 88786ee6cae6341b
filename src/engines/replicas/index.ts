import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db, Metadata, Migration } from '../metadata/index.ts'
import { databaseWithin, repeat } from '../timing.ts'
import { type Disk, type DiskHomes, homeMigrations, type Kept } from './homes.ts'

export { type Disk, DiskHomes, forgetDisk, homesOf, type Kept } from './homes.ts'
export { type Slot, takeSlot } from './slot.ts'

/** Why data on own disks can't be used: other replicas are at work, or the data is on that other disk. */
export type Obstacle = 'several' | Disk

/** Whether other processes use the same database. Answers are never older than the time a replica may be silent. */
export interface Replicas {
  start(): Promise<void>
  isAlone(): boolean | Promise<boolean>
  obstacleTo(kept: Kept): Obstacle | undefined | Promise<Obstacle | undefined>
  /**
   * The obstacle for a caller that is about to store data. Without one, other replicas learn first that the data is
   * on this disk.
   */
  claim(kept: Kept): Obstacle | undefined | Promise<Obstacle | undefined>
  close(): Promise<void>
}

const BEAT_MS = 2000
/** A replica that has said nothing new in so many looks is gone. */
const SILENT_LOOKS = 4
const SILENT_MS = SILENT_LOOKS * BEAT_MS

declare module '../metadata/index.ts' {
  interface Tables {
    replicas: ReplicaRow
  }
}

interface ReplicaRow {
  id: string
  /** When the replica last said that it is there, by its own clock. */
  seen_at: string
}

export const replicaMigrations: readonly Migration[] = [
  {
    id: 'platform/002-replicas',
    async up(db: Kysely<unknown>, type) {
      await db.schema
        .createTable('replicas')
        .addColumn('id', type.text, (column) => column.primaryKey())
        .addColumn('seen_at', type.text, (column) => column.notNull())
        .execute()
    }
  },
  ...homeMigrations
]

/** For a database that only one process can open. */
export const noReplicas: Replicas = {
  start: async () => {},
  isAlone: () => true,
  obstacleTo: () => undefined,
  claim: () => undefined,
  close: async () => {}
}

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  /** The id of this replica, which no other has. */
  readonly id: string
  readonly homes: DiskHomes
  /** Called when other replicas have come, or all of them have gone. */
  onChange(isAlone: boolean): void
}

interface Sighting {
  readonly seenAt: string
  readonly looks: number
}

/**
 * Writes into the database that this replica is there, and reads what the others write. A replica whose row changes
 * from look to look is there: clocks need not agree, and while the database is away nobody is taken for gone.
 */
export class ReplicaWatch implements Replicas {
  readonly #needs: Needs
  #sightings = new Map<string, Sighting>()
  #said: string | undefined
  #isAlone = true
  #lookedMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #end = async () => {}

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async start(): Promise<void> {
    await this.#look()
    // That the database does not answer is reported by health, and to the next caller.
    this.#end = repeat(this.#needs.clock, BEAT_MS, () => this.#look().catch(() => {}))
  }

  isAlone(): boolean | Promise<boolean> {
    return this.#asKnown(() => this.#isAlone)
  }

  obstacleTo(kept: Kept): Obstacle | undefined | Promise<Obstacle | undefined> {
    return this.#asKnown(() => this.#obstacleTo(kept))
  }

  claim(kept: Kept): Obstacle | undefined | Promise<Obstacle | undefined> {
    const { homes } = this.#needs
    return this.#asKnown(() => {
      const obstacle = this.#obstacleTo(kept)
      if (obstacle !== undefined || homes.isHere(kept)) return obstacle
      return homes.claim(kept).then(() => this.#obstacleTo(kept))
    })
  }

  async close(): Promise<void> {
    const { metadata, id } = this.#needs
    await this.#end()
    // If this fails, the others find out a little later.
    await metadata.transaction((tx) => tx.deleteFrom('replicas').where('id', '=', id).execute()).catch(() => {})
  }

  /** Answers without a promise where nothing has to be waited for, because each use of the disk asks. */
  #asKnown<T>(answer: () => T | Promise<T>): T | Promise<T> {
    const isFresh = this.#needs.clock.elapsed() - this.#lookedMs <= SILENT_MS
    return isFresh ? answer() : this.#look().then(answer)
  }

  #obstacleTo(kept: Kept): Obstacle | undefined {
    return this.#isAlone ? this.#needs.homes.elsewhere(kept) : 'several'
  }

  #look(): Promise<void> {
    // One look at a time, even where nobody waits for it: otherwise the next one would take its row for that of
    // another replica.
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    return databaseWithin(this.#needs.clock, SILENT_MS, this.#looking)
  }

  async #lookOnce(): Promise<void> {
    const { metadata, clock, id, homes } = this.#needs
    const startedMs = clock.elapsed()
    const own = { id, seen_at: clock.iso() }
    const hadTwin = await metadata.transaction((tx) => sayPresent(tx, own, this.#said))
    this.#said = own.seen_at
    // Read only now that this replica's own row is visible: of two that start at once, at least one sees the other.
    const others = await metadata.db.selectFrom('replicas').selectAll().where('id', '!=', id).execute()
    const gone = this.#sort(others)
    if (gone.length > 0) await metadata.transaction((tx) => forget(tx, gone))
    await homes.look()
    this.#lookedMs = startedMs
    this.#tell(gone.length === others.length && !hadTwin)
  }

  /** Remembers the rows of the others, and answers those that are gone. */
  #sort(others: readonly ReplicaRow[]): ReplicaRow[] {
    const before = this.#sightings
    this.#sightings = new Map(
      others.map(({ id, seen_at: seenAt }) => {
        const last = before.get(id)
        return [id, { seenAt, looks: last?.seenAt === seenAt ? last.looks + 1 : 0 }]
      })
    )
    return others.filter(({ id }) => (this.#sightings.get(id) as Sighting).looks >= SILENT_LOOKS)
  }

  #tell(isAlone: boolean): void {
    if (isAlone === this.#isAlone) return
    this.#isAlone = isAlone
    this.#needs.onChange(isAlone)
  }
}

/** Answers whether another process has written under this id since: one whose data folder is a copy of this one's. */
async function sayPresent(tx: Db, row: ReplicaRow, saidBefore: string | undefined): Promise<boolean> {
  const known = await tx.selectFrom('replicas').select('seen_at').where('id', '=', row.id).executeTakeFirst()
  await tx
    .insertInto('replicas')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: row.seen_at }))
    .execute()
  return known !== undefined && saidBefore !== undefined && known.seen_at !== saidBefore
}

/** Deletes rows of replicas that are gone, unless they have changed since. */
async function forget(tx: Db, gone: readonly ReplicaRow[]): Promise<void> {
  for (const { id, seen_at: seenAt } of gone) {
    await tx.deleteFrom('replicas').where('id', '=', id).where('seen_at', '=', seenAt).execute()
  }
}

/** How many replicas were there lately; if a disk is given, only those on that disk. */
export async function countReplicas(db: Db, clock: Clock, disk?: string): Promise<number> {
  const rows = await db.selectFrom('replicas').selectAll().execute()
  const isAtWork = ({ seen_at: seenAt }: ReplicaRow) => Math.abs(clock.now() - Date.parse(seenAt)) <= SILENT_MS
  return rows.filter((row) => isAtWork(row) && (disk === undefined || row.id.startsWith(`${disk}/`))).length
}
