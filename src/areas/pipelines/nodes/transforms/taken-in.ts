/** A batch that windows have taken in. */
export interface TakenIn {
  readonly timed: string
  /** The same with the column `ROW`. */
  readonly numbered: string
  /** Whether records of the batch were late, and each was held against those before it. */
  readonly isCareful: boolean
  /** Its windows with what they would be if it were all. */
  readonly table: string
  readonly rows: number
  readonly timeless: number
  /** The newest time less what records may be late. */
  readonly newest: bigint | undefined
  /** When the oldest window begins. */
  readonly oldest: bigint | undefined
}
