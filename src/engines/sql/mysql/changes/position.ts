import { BEGIN_ANEW } from '../../changes/index.ts'
import { SqlError } from '../../errors.ts'

/** How far a reader is. */
export interface Position {
  /** A file of the log, and the place in it where a transaction begins. */
  readonly file: string
  readonly at: number
  /** Records that were given of that transaction. */
  readonly given: number
  /** While the rows that were there are read: the keys of the last one, null before the first. Undefined when all were. */
  readonly snapshot?: readonly string[] | null
}

export const positionText = (position: Position): string => JSON.stringify(position)

export function parsePosition(text: string): Position {
  try {
    const { file, at, given, snapshot } = JSON.parse(text)
    if (typeof file === 'string' && typeof at === 'number' && typeof given === 'number')
      return { file, at, given, ...(snapshot !== undefined && { snapshot }) }
  } catch {
    // Said below.
  }
  throw new SqlError('position_lost', `The position is none of MySQL: ${BEGIN_ANEW}`)
}

/** Sorts as the log does. Records of a transaction count from 1: what was there before it has 0. */
export function recordPosition(file: string, at: number, number: number): string {
  return `${String(numberOf(file)).padStart(10, '0')}:${String(at).padStart(12, '0')}.${String(number).padStart(10, '0')}`
}

/** Files are numbered one after the other. */
const numberOf = (file: string) => Number(/\d+$/.exec(file)?.[0] ?? 0)
