import type { Clock } from '../engines/clock.ts'
import { isUniqueViolation } from '../engines/metadata/index.ts'
import { Problem } from '../errors.ts'

/** The row that was looked for. What may not be seen is to be looked for in vain too. */
export async function orNotFound<R>(looking: Promise<R | undefined>): Promise<R> {
  const row = await looking
  if (row === undefined) throw new Problem('not_found')
  return row
}

/** For rows whose names are unique; `detail` where the usual words do not say it. */
export async function orNameTaken(write: () => Promise<unknown>, detail?: string): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('name_taken', { ...(detail !== undefined && { detail }), cause: error })
  }
}

/** Columns of rows that are changed: `version` is their `ETag`. */
export interface Stamps {
  version: number
  created_at: string
  updated_at: string
}

export function firstStamps(clock: Clock): Stamps {
  const now = clock.iso()
  return { version: 1, created_at: now, updated_at: now }
}

export function nextStamps({ version }: Pick<Stamps, 'version'>, clock: Clock): Omit<Stamps, 'created_at'> {
  return { version: version + 1, updated_at: clock.iso() }
}
