import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { inspectStore } from '../../engines/objects/disk/inspect.ts'
import { contentFiles, isIndexLost, type UnknownContents } from '../../engines/objects/disk/known-contents.ts'
import { layoutOf } from '../../engines/objects/disk/layout.ts'
import { describeScrub } from '../../engines/scrub-state.ts'
import { type Finding, fail, type Installation, ok, reasonOf, warn } from '../../finding.ts'
import { objectsDir } from '../../platform.ts'
import { storesIn } from '../backup/object-stores.ts'
import { checkSpace } from './data-dir.ts'
import { checkRemoteObjects } from './remote-objects.ts'

const SAMPLE = 1000
const SUBJECT = 'objects'
export const MEND_OBJECT = 'upload it again, or delete it, or restore a backup'

/** Checks the built-in provider's store, and every store on this machine. */
export async function checkObjects({ config, clock }: Installation): Promise<Finding[]> {
  const findings = config.objectsUrl === undefined ? [] : [await checkRemoteObjects(config, config.objectsUrl, clock)]
  const stores = storesIn(config)
  for (const store of stores) findings.push(...(await checkStore(join(config.dataDir, store))))
  if (config.objectsUrl === undefined && stores.length === 0) {
    findings.push(ok(SUBJECT, `none in ${objectsDir(config)} yet; the first bucket makes it`))
  }
  if (config.objectsUrl === undefined && config.databaseUrl !== undefined) {
    findings.push(warn(SUBJECT, 'they are on this machine only, replicas do not share them: set OBJECTS_URL'))
  }
  return findings
}

async function checkStore(folder: string): Promise<Finding[]> {
  const { temporary, index } = layoutOf(folder)
  const unwritable = [folder, temporary, index].find((path) => existsSync(path) && !isWritable(path))
  if (unwritable !== undefined) {
    const mend = 'make its disk writable, or give it back to this user'
    return [fail(SUBJECT, `${unwritable} can't be read and written: ${mend}`)]
  }
  try {
    const { count, sizeBytes, missing, damaged, unknown } = await inspectStore(folder, SAMPLE)
    const marked = damaged.map(({ bucket, key, what, foundAt }) => {
      const name = JSON.stringify(`${bucket}/${key}`)
      return fail(SUBJECT, `${folder}: the content of ${name} ${what} (found at ${foundAt}): ${MEND_OBJECT}`)
    })
    return [...marked, ...tellUnknown(SUBJECT, folder, unknown), checkContents(folder, count, sizeBytes, missing)]
  } catch (error) {
    if (isIndexLost(layoutOf(folder))) return [fail(SUBJECT, lostIndex(folder))]
    return [fail(SUBJECT, `${folder} can't be read: ${reasonOf(error)}; restore it from a backup`)]
  }
}

/** Contents without an object are what a lost index, or one that was replaced by an older one, leaves behind. */
export function tellUnknown(subject: string, folder: string, { count, sizeBytes }: UnknownContents): Finding[] {
  if (count === 0) return []
  const found = `${folder}: ${count} files of contents, ${sizeBytes} bytes, belong to no object`
  return [fail(subject, `${found}: its index was lost, or replaced by an older one; restore a backup of both`)]
}

function lostIndex(folder: string): string {
  const files = Iterator.from(contentFiles(layoutOf(folder))).reduce((count) => count + 1, 0)
  return (
    `${folder}/index.db is lost, which says what the ${files} files of contents there are, and holds all small objects: ` +
    `stop the server and restore a backup; without one, move ${folder} away and make its buckets anew`
  )
}

function checkContents(folder: string, count: number, sizeBytes: number, missing: readonly string[]): Finding {
  const [example] = missing
  if (example === undefined) {
    return checkSpace(SUBJECT, folder, `${folder}: ${count} objects, ${sizeBytes} bytes, ${describeScrub(folder)}, `)
  }
  const found = `${folder}: ${count} objects, but of ${Math.min(count, SAMPLE)} looked at`
  return fail(
    SUBJECT,
    `${found} the contents of ${missing.length} are missing, such as ${JSON.stringify(example)}: restore a backup`
  )
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}
