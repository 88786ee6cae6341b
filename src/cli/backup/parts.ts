import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { isCopyable, openMetadata } from '../../engines/metadata/index.ts'
import { anchorFile, diskIdFile, metadataFile, secretFile } from '../../platform.ts'
import { sync, writeDurably } from './durable.ts'

/** A file of DATA_DIR that a backup keeps, under the same name. */
export interface BackupPart {
  readonly file: string
  /** Writes the state of one instant to `target` and flushes it; answers false where there is nothing to write. */
  copy(config: Config, target: string): Promise<boolean>
}

const secret: BackupPart = {
  file: nameOf(secretFile),
  async copy(config, target) {
    if (config.secretKeys !== undefined || !existsSync(secretFile(config))) return false
    writeDurably(target, readFileSync(secretFile(config)))
    return true
  }
}

const anchors: BackupPart = {
  file: nameOf(anchorFile),
  async copy(config, target) {
    if (!existsSync(anchorFile(config))) return false
    const text = readFileSync(anchorFile(config), 'utf8')
    writeDurably(target, text.slice(0, text.lastIndexOf('\n') + 1)) // the last line may still be being written
    return true
  }
}

const metadata: BackupPart = {
  file: nameOf(metadataFile),
  async copy(config, target) {
    if (config.databaseUrl !== undefined || !existsSync(metadataFile(config))) return false
    const database = await openMetadata({ file: metadataFile(config) })
    try {
      if (!isCopyable(database)) return false
      await database.copyTo(target)
    } finally {
      await database.close()
    }
    sync(target)
    return true
  }
}

/** By this id the shared database knows, also after a restore, that points and objects are in this folder. */
const diskId: BackupPart = {
  file: nameOf(diskIdFile),
  async copy(config, target) {
    if (config.databaseUrl === undefined || !existsSync(diskIdFile(config))) return false
    mkdirSync(dirname(target), { mode: 0o700 })
    writeDurably(target, readFileSync(diskIdFile(config)))
    sync(dirname(target))
    return true
  }
}

/**
 * The parts in the order in which they are copied. The anchors come before the database: with an anchor newer than
 * the copy of the database, a row would seem to be cut off.
 */
export const PARTS: readonly BackupPart[] = [secret, diskId, anchors, metadata]

export const SECRET_PART = secret.file
export const METADATA_PART = metadata.file
export const DISK_ID_PART = diskId.file

function nameOf(locate: (config: Config) => string): string {
  return locate({ dataDir: '' } as Config)
}
