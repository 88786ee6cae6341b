export interface Shape {
  readonly tags: number
  readonly points: number
}

const LINES_PER_REQUEST = 10_000
export const START_S = 1_700_000_000
export const STEP_S = 10

/** The same numbers in every run, so that every run measures the same. */
function createRandom(): () => number {
  let state = 0x2545f491
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** A measurement of every tag each ten seconds, as agents send them: all tags of one moment, then of the next. */
function* rowsOf({ tags, points }: Shape): Generator<{ tag: number; timeS: number; value: string }> {
  const random = createRandom()
  for (let point = 0; point < points; point++) {
    for (let tag = 0; tag < tags; tag++) {
      const value = 50 + 10 * Math.sin(point / 70 + tag) + random()
      yield { tag, timeS: START_S + point * STEP_S, value: value.toFixed(2) }
    }
  }
}

export const lineOf = ({ tag, timeS, value }: { tag: number; timeS: number; value: string }) =>
  `cpu,host=h${tag} usage=${value} ${timeS}000000000`

/** Bodies of so many lines each, all made before anything is measured. */
export function bodiesOf(shape: Shape, line: (row: { tag: number; timeS: number; value: string }) => string): Buffer[] {
  const bodies: Buffer[] = []
  let lines: string[] = []
  for (const row of rowsOf(shape)) {
    lines.push(line(row))
    if (lines.length < LINES_PER_REQUEST) continue
    bodies.push(Buffer.from(`${lines.join('\n')}\n`))
    lines = []
  }
  if (lines.length > 0) bodies.push(Buffer.from(`${lines.join('\n')}\n`))
  return bodies
}
