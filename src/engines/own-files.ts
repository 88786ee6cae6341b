import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
/** The sticky bit, as of /tmp: such a folder is everybody's. */
const SHARED = 0o1000

/** Makes all files of this process, and of those that it starts, private to its user. To be called before all else. */
export function keepFilesToOwner(): void {
  process.umask(OTHERS)
}

/** Whether others than the owner can access it. A link's own mode means nothing. */
const isOpen = (found: Stats) => !found.isSymbolicLink() && (found.mode & OTHERS) !== 0

/** The mode of a folder that others can look into; undefined where they can't. */
export function openModeOf(folder: string): string | undefined {
  const found = statSync(folder)
  return isOpen(found) ? (found.mode & 0o777).toString(8) : undefined
}

export interface Closed {
  /** How many files and folders were open to others, and are not any more. */
  readonly closed: number
  /** Files and folders that are still open to others, because somebody else owns them. */
  readonly left: readonly string[]
}

/**
 * Closes everything in a folder to others than the owner, such as files of older versions or of a restore by hand.
 * The folder itself comes first, so that the rest is out of reach at once. A folder is closed after its contents, so
 * what is closed need not be searched: each file is looked at once, even after an interruption.
 */
export function closeToOthers(folder: string): Closed {
  const left: string[] = []
  let closed = 0
  const attempt = (path: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') left.push(path)
    }
  }
  const close = (path: string, mode: number) => {
    chmodSync(path, mode & 0o700)
    closed += 1
  }
  const closeIn = (parent: string) => {
    for (const name of readdirSync(parent)) {
      const path = join(parent, name)
      attempt(path, () => {
        const found = lstatSync(path)
        if (!isOpen(found)) return
        if (found.isDirectory()) closeIn(path)
        close(path, found.mode)
      })
    }
  }
  if (!existsSync(folder)) return { closed, left }
  const real = realpathSync(folder)
  const { mode } = statSync(real)
  if ((mode & SHARED) !== 0) return { closed, left: [real] }
  attempt(real, () => {
    if ((mode & OTHERS) !== 0) close(real, mode)
  })
  attempt(real, () => closeIn(real))
  return { closed, left }
}
