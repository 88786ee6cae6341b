import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Config } from '../../config.ts'
import { isCopyable, openMetadata } from '../../engines/metadata/index.ts'
import { anchorFile, metadataFile, secretFile } from '../../platform.ts'
import { sync, writeDurably } from './durable.ts'

/** A file of DATA_DIR that a backup keeps, under the same name. */
export interface BackupPart {
  readonly file: string
  /** Writes it, as it is at one instant, to `target` and flushes it; answers false where there is none. */
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

/**
 * In the order in which they are copied. The anchors come before the database: an anchor of a row that the copy of the
 * database does not have would look like a row that was cut off.
 */
export const PARTS: readonly BackupPart[] = [secret, anchors, metadata]

export const SECRET_PART = secret.file
export const METADATA_PART = metadata.file

function nameOf(locate: (config: Config) => string): string {
  return basename(locate({ dataDir: '' } as Config))
}
