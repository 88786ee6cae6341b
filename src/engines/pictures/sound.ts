import { MAX_ANNOTATIONS, MAX_BUCKETS, MAX_THRESHOLDS } from './limits.ts'
import { drawable } from './numbers/ticks.ts'
import { boundedTime } from './numbers/times.ts'
import type { PanelOptions, PanelPicture, TimeRange } from './picture.ts'

/** A panel without numbers that are none and lists without end, so that whatever draws it need not look for them. */
export function soundPanel(panel: PanelPicture): PanelPicture {
  const { timeRange, annotations = [], options, ...rest } = panel
  const range = timeRange && soundRange(timeRange)
  return {
    ...rest,
    options: soundOptions(options),
    ...(range && { timeRange: range }),
    annotations: annotations
      .filter(({ fromMs, toMs = 0 }) => Number.isFinite(fromMs) && Number.isFinite(toMs))
      .slice(0, MAX_ANNOTATIONS)
  }
}

function soundRange({ fromMs, toMs }: TimeRange): TimeRange | undefined {
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) return undefined
  const range = { fromMs: boundedTime(fromMs), toMs: boundedTime(toMs) }
  return range.fromMs < range.toMs ? range : undefined
}

function soundOptions(options: PanelOptions): PanelOptions {
  const { min, max, decimals, buckets, pageRows, thresholds = [], ...rest } = options
  const [least, most, digits] = [drawable(min), drawable(max), drawable(decimals)]
  const [parts, rows] = [counted(buckets), counted(pageRows)]
  return {
    ...rest,
    ...(parts !== undefined && { buckets: Math.min(MAX_BUCKETS, parts) }),
    ...(rows !== undefined && { pageRows: rows }),
    ...(least !== undefined && { min: least }),
    ...(most !== undefined && { max: most }),
    ...(digits !== undefined && { decimals: digits }),
    thresholds: thresholds
      .filter(({ value }) => Number.isFinite(value))
      .sort((a, b) => a.value - b.value)
      .slice(0, MAX_THRESHOLDS)
  }
}

/** A whole number of things, at least one. */
function counted(count: number | undefined): number | undefined {
  const number = drawable(count)
  return number === undefined ? undefined : Math.max(1, Math.round(number))
}
