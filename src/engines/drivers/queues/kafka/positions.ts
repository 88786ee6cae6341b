import { badPosition } from '../messages.ts'

const FORM = /^\d{1,9}:\d{1,19}(,\d{1,9}:\d{1,19})*$/

/** By partition, the offset that is read next. */
export type Positions = Map<number, bigint>

/** As `0:120,1:95`. */
export function positionText(positions: Positions): string {
  const sorted = [...positions].sort(([a], [b]) => a - b)
  return sorted.map(([partition, next]) => `${partition}:${next}`).join()
}

export function parsePosition(text: string | null): Positions {
  if (text === null || text === '') return new Map()
  if (!FORM.test(text)) throw badPosition('0:120,1:95')
  return new Map(
    text.split(',').map((part) => {
      const [partition = '', next = ''] = part.split(':')
      return [Number(partition), BigInt(next)]
    })
  )
}

/**
 * Where reading a partition begins: at the position, or at the first message that is still there. A position beyond the
 * end is one of another topic of the same name, which is read from its beginning.
 */
export function beginning(wanted: bigint | undefined, first: bigint, end: bigint): bigint {
  return wanted === undefined || wanted < first || wanted > end ? first : wanted
}
