import { existsSync, globSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Files of failed uploads, and contents beyond the number that is `kept`. */
export function leftovers(dataDir: string, kept?: number): string[] {
  const underWay = filesBelow(dataDir, ['spool/*/*', 'objects/*/temporary/*', 'objects/*/uploads/*/*'])
  if (kept === undefined) return underWay
  const contents = filesBelow(dataDir, ['objects/*/contents/*/*'])
  return contents.length === kept ? underWay : [...underWay, `${contents.length} contents, ${kept} expected`]
}

function filesBelow(folder: string, patterns: string[]): string[] {
  // A file may be removed while the folders are read.
  return globSync(patterns, { cwd: folder }).filter((file) => existsSync(join(folder, file)))
}

/** Content files that this process has open, where the system tells. */
export function openContents(dataDir: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  const opened = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // closed meanwhile
    }
  })
  return opened.filter((path) => path.startsWith(dataDir) && path.includes('/contents/'))
}
