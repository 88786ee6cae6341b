export const SOURCE = 'src'
export const ERASED_TAGS = 12
export const POINTS_PER_ROUND = 40

const DAY_MS = 86_400_000

/** Whether the points of a round are texts: it changes with every deletion, which comes every fourth round. */
export const isText = (round: number) => Math.floor(round / 4) % 2 === 1

/** The points of a round have times that no other round has, over three days; each tells its round. */
export function roundBody(tag: number, round: number): Uint8Array<ArrayBuffer> {
  const lines = Array.from({ length: POINTS_PER_ROUND }, (_, i) => {
    const ms = (i % 3) * DAY_MS + round * POINTS_PER_ROUND + i
    return `t${tag} value=${isText(round) ? `"${round}"` : round} ${ms}`
  })
  return new Uint8Array(Buffer.from(lines.join('\n')))
}
