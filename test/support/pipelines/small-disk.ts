import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a given size, mounted in a folder. */
export interface SmallDisk {
  resize(sizeMib: number): void
  setReadOnly(isReadOnly: boolean): void
  unmount(): void
}

const mounted = new Set<string>()
const covered = new Set<string>()
process.once('exit', () => {
  for (const folder of mounted) unmount(folder)
})

/** Why a disk can't be mounted here; undefined if it can. */
export function missingMount(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small disk'
  const folder = mkdtempSync(join(tmpdir(), 'millrace-mount-'))
  try {
    mountSmallDisk(folder, 1).unmount()
    return undefined
  } catch {
    return 'this machine lets nobody mount a small disk'
  } finally {
    rmdirSync(folder)
  }
}

export function mountSmallDisk(folder: string, sizeMib: number, { maxFiles = 100_000 } = {}): SmallDisk {
  if (!existsSync(folder)) mkdirSync(folder)
  mount('-t', 'tmpfs', '-o', `size=${sizeMib}m,nr_inodes=${maxFiles}`, 'tmpfs', folder)
  mounted.add(folder)
  return {
    resize: (newMib) => mount('-o', `remount,size=${newMib}m`, folder),
    setReadOnly: (isReadOnly) => (isReadOnly ? coverReadOnly(folder) : uncover(folder)),
    unmount: () => unmount(folder)
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

/**
 * Mounts the folder read-only on top of itself: files that are open can still be written, because the system checks
 * only on opening.
 */
function coverReadOnly(folder: string): void {
  mount('--bind', folder, folder)
  covered.add(folder)
  mount('-o', 'remount,bind,ro', folder)
}

function uncover(folder: string): void {
  if (covered.delete(folder)) detach(folder)
}

function unmount(folder: string): void {
  uncover(folder)
  if (mounted.delete(folder)) detach(folder)
}

/** Unmounts even while somebody has a file there open. */
function detach(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
}
