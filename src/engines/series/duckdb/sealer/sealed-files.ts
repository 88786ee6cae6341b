import { closeSync, fsyncSync, openSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../keeper/log.ts'
import type { Layout } from '../layout.ts'

/** Flushes a file, and the folders up to the one that holds all sources. Answers the size of the file. */
export function makeDurable(path: string): number {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  const day = dirname(path)
  for (const folder of [day, dirname(day), dirname(dirname(day))]) syncFolder(folder)
  return statSync(path).size
}

/** Removes a file, and folders that are empty then. */
export function removeFile(layout: Layout, path: string): void {
  const absolute = layout.absolute(path)
  try {
    unlinkSync(absolute)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    rmdirSync(dirname(absolute))
    rmdirSync(dirname(dirname(absolute)))
  } catch {
    // not empty, or gone already
  }
}
