import type { WindowFunction } from '../rules/words.ts'

/** What a condition costs: how long its window is, and of how many tags. */
export interface Cost {
  readonly windowMs: number
  readonly function: WindowFunction
  readonly tags: number
}

/** The times of a preview: `count` of them, `stepMs` apart, multiples of it. */
export interface Steps {
  readonly firstMs: number
  readonly stepMs: number
  readonly count: number
}

const MAX_STEPS = 2000
/** Of all instances together. */
const MAX_READINGS = 200_000
const MAX_BUCKETS = 200_000
/** Buckets that are looked at, counting one for each window that it is in. */
const MAX_LOOKS = 5_000_000
const MAX_TRIED = 20_000

/** Of these the value of a window can be told from those of its parts. */
const OF_PARTS: readonly WindowFunction[] = ['last', 'avg', 'min', 'max', 'sum', 'count', 'delta']

/** Finds the shortest time between evaluations that costs little enough; undefined where there is none. */
export function chooseSteps(
  fromMs: number,
  toMs: number,
  intervalMs: number,
  costs: readonly Cost[]
): Steps | undefined {
  for (let times = 1; times <= MAX_TRIED; times++) {
    const stepMs = intervalMs * times
    const firstMs = Math.ceil(fromMs / stepMs) * stepMs
    if (firstMs > toMs) return undefined
    const count = Math.floor((toMs - firstMs) / stepMs) + 1
    if (count <= MAX_STEPS && costs.every((cost) => isCheap(cost, stepMs, count))) return { firstMs, stepMs, count }
  }
  return undefined
}

/** The widest buckets of which both a window and the time between evaluations are made. */
export function bucketMs({ windowMs }: Pick<Cost, 'windowMs'>, stepMs: number): number {
  let [a, b] = [windowMs, stepMs]
  while (b > 0) [a, b] = [b, a % b]
  return a
}

function isCheap(cost: Cost, stepMs: number, count: number): boolean {
  const widthMs = bucketMs(cost, stepMs)
  if (!OF_PARTS.includes(cost.function) && widthMs !== cost.windowMs) return false
  const tags = Math.max(1, cost.tags)
  const buckets = ((count - 1) * stepMs + cost.windowMs) / widthMs
  const looks = (cost.windowMs / widthMs) * count
  return tags * count <= MAX_READINGS && tags * buckets <= MAX_BUCKETS && tags * looks <= MAX_LOOKS
}
