import { countReplicas } from '../../engines/replicas/index.ts'
import { type Finding, fail, ok, type Patient } from '../../finding.ts'
import { missingForReplicas } from '../../platform.ts'

const SUBJECT = 'replicas'

/** How many use the database now, and whether they have all that several need. */
export async function checkReplicas({ config, clock, metadata }: Patient): Promise<Finding[]> {
  if (config.databaseUrl === undefined || metadata === undefined) return []
  const tables = await metadata.db.introspection.getTables()
  // In a database of an older version they are not counted.
  if (!tables.some(({ name }) => name === 'replicas')) return []
  const count = await countReplicas(metadata.db, clock)
  const missing = missingForReplicas(config)
  if (count > 1 && missing.length > 0) {
    const mend = `set ${missing.join(' and ')} for all of them, or stop all but one`
    return [fail(SUBJECT, `${count} share the database, so what is on their own disks is refused: ${mend}`)]
  }
  return [ok(SUBJECT, `${count} at work`)]
}
