import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
/** Of folders such as /tmp, which are everybody's. */
const SHARED = 0o1000

/** Whatever this process, and those that it starts, make from now on is for its user alone. To be called before all else. */
export function keepFilesToOwner(): void {
  process.umask(OTHERS)
}

/** Whether others than the owner can do anything with it. A link says nothing of what it leads to. */
const isOpen = (found: Stats) => !found.isSymbolicLink() && (found.mode & OTHERS) !== 0

/** The mode of a folder that others can look into; undefined where they can't. */
export function openModeOf(folder: string): string | undefined {
  const found = statSync(folder)
  return isOpen(found) ? (found.mode & 0o777).toString(8) : undefined
}

export interface Closed {
  /** Files and folders that others could read, and can't any more. */
  readonly closed: number
  /** Those that they still can: somebody else owns them. */
  readonly left: readonly string[]
}

/**
 * Takes from others what older versions, or a restore by hand, have left open in a folder. The folder itself comes first, so that
 * the rest is out of reach at once. What is in a folder that is closed already was closed before it: what is there is looked
 * through once, however large it is, also when that was interrupted.
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
