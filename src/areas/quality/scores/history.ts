export interface ScorePoint {
  readonly dataset: string
  readonly score: number | null
  readonly at: string
}

/** What all datasets together were worth: what they were at the beginning, and each time that one of them moved. */
export function overallHistory(
  from: string | undefined,
  starts: readonly ScorePoint[],
  points: readonly ScorePoint[]
): { at: string; score: number | null }[] {
  const scores = new Map<string, number>()
  let sum = 0
  const set = ({ dataset, score }: ScorePoint) => {
    sum -= scores.get(dataset) ?? 0
    scores.delete(dataset)
    if (score === null) return
    scores.set(dataset, score)
    sum += score
  }
  const mean = () => (scores.size === 0 ? null : Math.round((sum / scores.size) * 100) / 100)
  const history: { at: string; score: number | null }[] = []
  for (const start of starts) set(start)
  if (from !== undefined && starts.length > 0) history.push({ at: from, score: mean() })
  for (const point of points) {
    set(point)
    const last = history.at(-1)
    if (last?.at === point.at) last.score = mean()
    else if (last === undefined || last.score !== mean()) history.push({ at: point.at, score: mean() })
  }
  return history
}
