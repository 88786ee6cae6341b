import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ProviderRow, settingsOf } from '../../areas/storage/index.ts'
import type { Config } from '../../config.ts'
import { isIndexLost } from '../../engines/objects/disk/known-contents.ts'
import { layoutOf } from '../../engines/objects/disk/layout.ts'
import { objectsDir } from '../../platform.ts'
import { readCopy } from './read-copy.ts'

/** The folder of a store on disk, relative to DATA_DIR and to a backup of it. */
export type StoreFolder = `objects/${string}`

export function storesIn(config: Config): StoreFolder[] {
  const folder = objectsDir(config)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name): StoreFolder => `objects/${name}`)
    .filter((store) => isIndex(indexOf(store)) && isStore(join(config.dataDir, store)))
}

/** Also true of a store that has lost its index: reading it reports that. */
function isStore(folder: string): boolean {
  const layout = layoutOf(folder)
  return existsSync(layout.index) || isIndexLost(layout)
}

/** The file that represents a store in a manifest. */
export const indexOf = (store: StoreFolder) => `${store}/index.db`

export const storeOf = (name: string) => name.replace(/\/index\.db$/, '') as StoreFolder

/** Whether a name in a manifest is that of an index; such a name can't lead out of the folder. */
export const isIndex = (name: string) => /^objects\/\w+\/index\.db$/.test(name)

/**
 * The buckets that the copy of the database says are in a store. One that was deleted after the database was copied is
 * no longer in the store, and would be a bucket that gives nothing but errors.
 */
export async function bucketsOf(config: Config, backup: string, store: StoreFolder): Promise<string[]> {
  const rows = (await readCopy(backup, ['buckets', 'storage_providers'], (database) =>
    database.prepare('select p.*, b.backend_name from buckets b join storage_providers p on p.id = b.provider_id').all()
  )) as unknown as (ProviderRow & { backend_name: string })[] | undefined
  const own = (rows ?? []).filter((row) => folderOf(config, row) === basename(store))
  return own.map(({ backend_name }) => backend_name)
}

function folderOf(config: Config, row: ProviderRow): string | undefined {
  if (row.built_in === 1 && config.objectsUrl !== undefined) return undefined
  const settings = settingsOf(row, undefined, '')
  return settings.kind === 'disk' ? settings.folder : undefined
}
