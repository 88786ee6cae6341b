import type { Db } from '../../../engines/metadata/index.ts'
import type { SchemaRow } from '../migrations.ts'
import type { RegistryMode } from '../schema.ts'
import { findSettings } from '../store.ts'
import { notPermitted } from './refusals.ts'

export const MODES: readonly RegistryMode[] = ['READWRITE', 'READONLY', 'READONLY_OVERRIDE', 'IMPORT']

/** The mode that holds for a subject: its own or that of the registry, which may be stronger. */
export async function modeOf(db: Db, row: Pick<SchemaRow, 'mode'> | undefined): Promise<RegistryMode> {
  const { mode } = await findSettings(db)
  return mode === 'READONLY_OVERRIDE' ? mode : (row?.mode ?? mode)
}

/** Ids and versions are chosen by whoever carries schemas over from elsewhere, and by nobody else. */
export function requireMode(mode: RegistryMode, subject: string, chooses: boolean): void {
  const needed = chooses ? 'IMPORT' : 'READWRITE'
  if (mode === needed) return
  const what = chooses ? 'an id or a version can only be chosen' : 'schemas are only registered'
  throw notPermitted(`The mode of the subject "${subject}" is ${mode}; ${what} where it is ${needed}.`)
}
