import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { countReplicas, homesOf } from '../../engines/replicas/index.ts'
import { type Finding, fail, type Installation, ok } from '../../finding.ts'
import { keptOnDisks, missingForReplicas, SHARED_BY } from '../../kept-on-disks.ts'
import { diskIdFile } from '../../platform.ts'

const SUBJECT = 'replicas'

/** How many replicas use the database now, and whether they have all that several need. */
export async function checkReplicas({ config, clock, metadata }: Installation): Promise<Finding[]> {
  if (config.databaseUrl === undefined || metadata === undefined) return []
  const tables = await metadata.db.introspection.getTables()
  // A database of an older version has no table of replicas.
  if (!tables.some(({ name }) => name === 'replicas')) return []
  const count = await countReplicas(metadata.db, clock)
  const lost = tables.some(({ name }) => name === 'disk_homes') ? await keptElsewhere(config, metadata.db) : []
  if (lost.length > 0) return lost
  const missing = missingForReplicas(config)
  if (count > 1 && missing.length > 0) {
    const mend = `set ${missing.join(' and ')} for all of them, or stop all but one`
    return [fail(SUBJECT, `${count} share the database, so what is on their own disks is refused: ${mend}`)]
  }
  return [ok(SUBJECT, `${count} at work`)]
}

/** Data that is on another disk than that of this DATA_DIR. */
async function keptElsewhere(config: Config, db: Db): Promise<Finding[]> {
  const own = existsSync(diskIdFile(config)) ? readFileSync(diskIdFile(config), 'utf8') : undefined
  const homes = await homesOf(db)
  return keptOnDisks(config).flatMap((kept) => {
    const home = homes.get(kept)
    if (home === undefined || home.id === own) return []
    const place = `DATA_DIR ${home.folder} of ${home.host}`
    const mend = `start the server with that folder, or with a copy of it; set ${SHARED_BY[kept]}; or give it up with 'millrace disk forget ${home.id}'`
    return [
      fail(SUBJECT, `the ${kept} are not in this DATA_DIR but in ${place} (${home.id}), and are refused: ${mend}`)
    ]
  })
}
