import { BEGIN_ANEW } from '../../changes/index.ts'
import { SqlError } from '../../errors.ts'
import type { Lsn } from './pgoutput.ts'

/** How far a reader is. */
export interface Position {
  /** Changes are read from here on in the log. */
  readonly at: Lsn
  /** Records that were given of the transaction that is committed there. */
  readonly given: number
  /** While the rows that were there are read: the keys of the last one, null before the first. Undefined when all were. */
  readonly snapshot?: readonly string[] | null
}

/** As JSON. */
export function positionText({ at, given, snapshot }: Position): string {
  return JSON.stringify({ at: lsnText(at), given, ...(snapshot !== undefined && { snapshot }) })
}

export function parsePosition(text: string): Position {
  try {
    const { at, given, snapshot } = JSON.parse(text)
    return { at: BigInt(`0x${at}`), given: Number(given), ...(snapshot !== undefined && { snapshot }) }
  } catch {
    throw new SqlError('position_lost', `The position is none of PostgreSQL: ${BEGIN_ANEW}`)
  }
}

/** Sorts as the log does. Records of a transaction count from 1: what was there before it has 0. */
export const recordPosition = (at: Lsn, number: number) => `${lsnText(at)}.${String(number).padStart(10, '0')}`

const lsnText = (at: Lsn) => at.toString(16).toUpperCase().padStart(16, '0')
