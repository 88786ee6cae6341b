/** A figure beside that of a peer or a floor. */
export interface Line {
  readonly what: string
  readonly figure: string
  readonly beside: string
  readonly ratio: number
  readonly floor: number
}

/** Prints the table, and says whether all are above their floors. */
export function judge(lines: readonly Line[]): boolean {
  console.table(lines.map((line) => ({ ...line, ratio: line.ratio.toFixed(2), ok: line.ratio >= line.floor })))
  return lines.every(({ ratio, floor }) => ratio >= floor)
}
