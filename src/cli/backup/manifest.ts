import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Trouble } from '../command.ts'
import { sha256Of } from './durable.ts'
import { isKept } from './kept-files.ts'
import { isIndex } from './object-stores.ts'
import { PARTS } from './parts.ts'
import { SERIES_PART } from './series.ts'

export const MANIFEST = 'manifest.json'
export const FORMAT = 1

/** What a backup holds. It is written last: a folder without one is no backup. */
export interface Manifest {
  readonly format: typeof FORMAT
  /** The version of the program that made the backup. */
  readonly version: string
  /** When the backup was begun: everything acknowledged before is in it. */
  readonly time: string
  /**
   * Objects on disk are represented by the index of each store, whose rows hold size and hash of every object; points
   * by a list of their files with hashes.
   */
  readonly files: readonly ManifestFile[]
  /** Damage found while copying, in words; absent where there was none. */
  readonly damaged?: readonly string[]
}

export interface ManifestFile {
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: string
}

export async function describeFile(folder: string, name: string): Promise<ManifestFile> {
  const file = join(folder, name)
  return { name, sizeBytes: statSync(file).size, sha256: await sha256Of(file) }
}

export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw new Trouble(`${folder} is not a backup, or one that was not finished: it has no readable ${MANIFEST}.`, {
      cause: error
    })
  }
  const manifest = parse(text)
  if (manifest === undefined) {
    throw new Trouble(`The ${MANIFEST} in ${folder} is damaged, or from a newer version: use another backup.`)
  }
  return manifest
}

function parse(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Manifest
    const isSound = manifest.format === FORMAT && manifest.files.length > 0 && manifest.files.every(isKnown)
    return isSound ? manifest : undefined
  } catch {
    return undefined
  }
}

/** Whether a name is one that a backup can have: no name may lead out of the folder. */
function isKnown({ name, sizeBytes, sha256 }: ManifestFile): boolean {
  const isName = PARTS.some(({ file }) => file === name) || isIndex(name) || isKept(name) || name === SERIES_PART
  return isName && Number.isInteger(sizeBytes) && /^[\da-f]{64}$/.test(sha256)
}
