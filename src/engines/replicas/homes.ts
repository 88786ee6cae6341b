import type { Kysely } from 'kysely'
import type { Db, Metadata, Migration } from '../metadata/index.ts'

/** Kinds of data that are on the disk of one replica, unless a shared store is configured. */
const KEPT = ['points', 'objects'] as const
export type Kept = (typeof KEPT)[number]

/** A data folder: its id is in the folder itself, the rest tells people where to look for it. */
export interface Disk {
  readonly id: string
  readonly host: string
  readonly folder: string
}

interface HomeRow extends Disk {
  kept: Kept
}

declare module '../metadata/index.ts' {
  interface Tables {
    disk_homes: { kept: string; id: string; host: string; folder: string }
  }
}

export const homeMigrations: readonly Migration[] = [
  {
    id: 'platform/003-disk-homes',
    async up(db: Kysely<unknown>, type) {
      await db.schema
        .createTable('disk_homes')
        .addColumn('kept', type.text, (column) => column.primaryKey())
        .addColumn('id', type.text, (column) => column.notNull())
        .addColumn('host', type.text, (column) => column.notNull())
        .addColumn('folder', type.text, (column) => column.notNull())
        .execute()
    }
  }
]

interface Needs {
  readonly metadata: Metadata
  readonly own: Disk
  /** Whether data of this kind is on the own disk. */
  holds(kept: Kept): boolean
}

/**
 * The disks of points and objects, as recorded in the shared database. The first disk that stores some becomes their
 * home.
 */
export class DiskHomes {
  readonly #needs: Needs
  #homes = new Map<Kept, Disk>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Reads the homes. Data that is on this disk since before homes were recorded gets its home here. */
  async look(): Promise<void> {
    const { metadata, own, holds } = this.#needs
    this.#homes = await homesOf(metadata.db)
    for (const kept of KEPT) {
      const home = this.#homes.get(kept)
      if (home === undefined ? holds(kept) : home.id === own.id && !isSamePlace(home, own)) await this.claim(kept)
    }
  }

  isHere(kept: Kept): boolean {
    return this.#homes.get(kept)?.id === this.#needs.own.id
  }

  /** The disk that has the data, if it is another one. */
  elsewhere(kept: Kept): Disk | undefined {
    return this.isHere(kept) ? undefined : this.#homes.get(kept)
  }

  /** Makes this disk the home, if there is none; of several replicas that do so at once, one is the first. */
  async claim(kept: Kept): Promise<void> {
    const { metadata, own } = this.#needs
    this.#homes = await metadata.transaction(async (tx) => {
      await tx
        .insertInto('disk_homes')
        .values({ kept, ...own })
        .onConflict((conflict) =>
          conflict
            .column('kept')
            .doUpdateSet({ host: own.host, folder: own.folder })
            .where('disk_homes.id', '=', own.id)
        )
        .execute()
      return homesOf(tx)
    })
  }
}

function isSamePlace(one: Disk, other: Disk): boolean {
  return one.host === other.host && one.folder === other.folder
}

export async function homesOf(db: Db): Promise<Map<Kept, Disk>> {
  const rows = (await db.selectFrom('disk_homes').selectAll().execute()) as HomeRow[]
  return new Map(rows.map(({ kept, ...disk }) => [kept, disk]))
}

/**
 * For a disk that will not come back: the next replica to store something becomes the home. Answers whether it was
 * one.
 */
export async function forgetDisk(db: Db, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('disk_homes').where('id', '=', id).returning('kept').execute()
  return gone.length > 0
}
