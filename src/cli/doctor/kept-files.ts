import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Area, KeptFiles } from '../../area.ts'
import { metadataFile } from '../../data-paths.ts'
import { type Finding, type Installation, warn } from '../../finding.ts'
import { keptIn } from '../backup/kept-files.ts'

/** A younger file may be of a change that is still to be committed, or wait for the job that removes it. */
const SETTLED_MS = 3600_000
const MAX_NAMED = 3

/** Names files of areas that no row names: they take up room, and no backup takes them. */
export async function checkKept({ config, clock }: Installation, areas: readonly Area[]): Promise<Finding[]> {
  // Otherwise the rows can't be read here, or the files are not on this disk.
  if (config.databaseUrl !== undefined || config.objectsUrl !== undefined || !existsSync(metadataFile(config)))
    return []
  const findings: Finding[] = []
  for (const { name, keptFiles } of areas) {
    if (keptFiles === undefined) continue
    const settled = keptIn(config.dataDir, [keptFiles]).filter((file) => {
      const found = statSync(join(config.dataDir, file), { throwIfNoEntry: false })
      return found !== undefined && clock.now() - found.mtimeMs >= SETTLED_MS
    })
    if (settled.length === 0) continue
    const named = await currentNames(metadataFile(config), keptFiles)
    const strays = settled.filter((file) => !named.has(file.slice(keptFiles.folder.length + 1)))
    if (strays.length > 0) findings.push(warn(name, told(config.dataDir, strays)))
  }
  return findings
}

async function currentNames(file: string, { tables, namesIn }: KeptFiles): Promise<ReadonlyMap<string, string>> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const find = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`)
    return tables.every((table) => find.get(table) !== undefined) ? await namesIn(database) : new Map()
  } finally {
    database.close()
  }
}

function told(dataDir: string, strays: readonly string[]): string {
  const more = strays.length > MAX_NAMED ? ` and ${strays.length - MAX_NAMED} more` : ''
  const names = strays.slice(0, MAX_NAMED).join(', ')
  return `nothing in the database names ${names}${more} in ${dataDir}: restart the server, and if they stay, move them away`
}
