import type { PanelPicture } from '../../pictures/index.ts'
import type { MessageAlert, Severity } from '../message.ts'

/** Of a chart as it is shown in a mail. */
export const CHART_SIZE = { width: 560, height: 210 }

/** The colours that thresholds of panels have. */
const COLORS = { info: 'blue', warning: 'orange', error: 'red', critical: 'red' } as const satisfies Record<
  Severity,
  string
>

/** What the values of an alert are in: what its rule says, or else the catalog of the tag. */
export const unitOf = ({ annotations, unit }: MessageAlert): string | undefined => annotations.unit || unit

/** The last values as a line, with the threshold and the time in which it fired; undefined where there are too few. */
export function chartPanel(alert: MessageAlert): PanelPicture | undefined {
  const { ruleName, labels, threshold, severity, lastValues = [] } = alert
  const points = lastValues
    .map(({ time, value }) => ({ ms: Date.parse(time), value }))
    .filter(({ ms, value }) => Number.isFinite(ms) && Number.isFinite(value))
  if (points.length < 2) return undefined
  const times = points.map(({ ms }) => ms)
  const title = labels.tag ?? ruleName
  const unit = unitOf(alert)
  const [startedMs, endedMs] = [Date.parse(alert.startedAt), Date.parse(alert.resolvedAt ?? '')]
  const range = {
    fromMs: Math.min(...times),
    toMs: Math.max(...times, ...[startedMs, endedMs].filter(Number.isFinite))
  }
  const fired = { fromMs: startedMs, toMs: Number.isFinite(endedMs) ? endedMs : range.toMs }
  return {
    type: 'line',
    title,
    frames: [
      {
        name: title,
        columns: [
          { name: 'time', type: 'time' },
          { name: 'value', type: 'number' }
        ],
        values: [times, points.map(({ value }) => value)]
      }
    ],
    options: {
      ...(unit !== undefined && { unit }),
      ...(threshold !== null && { thresholds: [{ value: threshold, color: COLORS[severity] }], reachThresholds: true }),
      legend: 'none'
    },
    timeRange: range,
    timeZone: 'UTC',
    annotations: [{ ...fired, text: 'fired', kind: 'alert' }]
  }
}
