import type { Exclusion } from '../../../engines/timetable/index.ts'

/** How a channel is told of alerts, as it is kept; spans as texts, such as `5m`. */
export interface ChannelSettings {
  /** The labels by which alerts are told together; `rule` and `severity` are labels here too. */
  readonly groupBy: readonly string[]
  /** From the first alert of a group to its message: what comes in between is told with it. */
  readonly groupWait: string
  /** Between two messages of one group, at least. */
  readonly groupInterval: string
  /** Between messages about alerts that still fire and that nobody has taken on. */
  readonly repeatInterval: string
  readonly sendResolved: boolean
  /** Weekly windows, in which nothing is said; what still holds after it is told then. */
  readonly muteWindows: readonly Exclusion[]
  readonly timeZone: string
  /** Null: the words that all channels have. */
  readonly titleTemplate: string | null
  readonly textTemplate: string | null
}

export const UNSAID: ChannelSettings = {
  groupBy: ['rule'],
  groupWait: '10s',
  groupInterval: '5m',
  repeatInterval: '4h',
  sendResolved: true,
  muteWindows: [],
  timeZone: 'UTC',
  titleTemplate: null,
  textTemplate: null
}
