import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Vault } from '../engines/vault/index.ts'
import { openVault, secretFile } from '../platform.ts'
import { Trouble } from './command.ts'

/** The vault of an existing installation: a missing secret is an error, and no new one is made. */
export function openKnownVault(config: Config): Vault {
  const file = secretFile(config)
  if (config.secretKeys === undefined && !existsSync(file)) {
    throw new Trouble(`There is no ${file}: put it back from a backup, or set SECRET_KEY to what the server uses.`)
  }
  return openVault(config)
}
