import type { ChannelSettings } from '../channels/settings.ts'
import { spanMs } from '../rules/spans.ts'
import type { ChannelRow } from './migrations.ts'
import type { Pace } from './telling.ts'

export const settingsOf = ({ settings }: Pick<ChannelRow, 'settings'>): ChannelSettings => JSON.parse(settings)

export function paceOf({ groupWait, groupInterval, repeatInterval, sendResolved }: ChannelSettings): Pace {
  return {
    waitMs: spanMs(groupWait) ?? 0,
    intervalMs: spanMs(groupInterval) ?? 0,
    repeatMs: spanMs(repeatInterval) ?? 0,
    sendResolved
  }
}
