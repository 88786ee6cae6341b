import { excludedUntil } from '../../../engines/timetable/index.ts'
import type { ChannelSettings } from '../channels/settings.ts'

const HOUR_MS = 3600_000
/** A window that leaves a gap leaves it every week; one day more, because clocks may be changed in it. */
const LOOKED_AHEAD_MS = 8 * 24 * HOUR_MS

/** When a channel may speak again; null where it may now. One that never may is looked at again in an hour. */
export function mutedUntil(
  { muteWindows, timeZone }: Pick<ChannelSettings, 'muteWindows' | 'timeZone'>,
  nowMs: number
): number | null {
  if (muteWindows.length === 0) return null
  const untilMs = excludedUntil({ exclusions: muteWindows, timeZone }, nowMs, nowMs + LOOKED_AHEAD_MS)
  if (untilMs === nowMs) return null
  return untilMs ?? nowMs + HOUR_MS
}
