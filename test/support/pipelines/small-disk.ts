import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own size, mounted in a folder. */
export interface SmallDisk {
  resize(sizeMib: number): void
  setReadOnly(isReadOnly: boolean): void
  unmount(): void
}

const mounted = new Set<string>()
process.once('exit', () => {
  for (const folder of mounted) unmount(folder)
})

/** Why there can be none here; undefined if there can. */
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
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder),
    unmount: () => unmount(folder)
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

/** Also while somebody still has a file there open. */
function unmount(folder: string): void {
  if (!mounted.delete(folder)) return
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
}
