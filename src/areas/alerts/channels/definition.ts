import { checkTemplate } from '../../../engines/channels/index.ts'
import { type Exclusion, TimingError, timetableOf } from '../../../engines/timetable/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { ChannelRow } from '../notifications/migrations.ts'
import { rangeFaults } from '../rules/spans.ts'
import type { ChannelUpdate } from './schema.ts'
import { type ChannelSettings, UNSAID } from './settings.ts'

const SPANS = {
  groupWait: ['0s', '1h'],
  groupInterval: ['10s', '1d'],
  repeatInterval: ['1m', '30d']
} as const

/** The settings with what a request says of them, on top of what was said before; throws all that is wrong with it. */
export function settingsOf(body: ChannelUpdate, before: ChannelSettings = UNSAID): ChannelSettings {
  return {
    groupBy: body.groupBy ?? before.groupBy,
    groupWait: body.groupWait ?? before.groupWait,
    groupInterval: body.groupInterval ?? before.groupInterval,
    repeatInterval: body.repeatInterval ?? before.repeatInterval,
    sendResolved: body.sendResolved ?? before.sendResolved,
    muteWindows: (body.muteWindows as Exclusion[] | undefined) ?? before.muteWindows,
    timeZone: body.timeZone ?? before.timeZone,
    titleTemplate: body.titleTemplate === undefined ? before.titleTemplate : body.titleTemplate,
    textTemplate: body.textTemplate === undefined ? before.textTemplate : body.textTemplate
  }
}

export const readSettings = ({ settings }: Pick<ChannelRow, 'settings'>): ChannelSettings => JSON.parse(settings)

/** Everything that is wrong with the settings in a request, with a pointer to each. */
export function requireSettings(body: ChannelUpdate): void {
  const spans = Object.entries(SPANS).flatMap(([field, [least, most]]) => {
    const text = body[field as keyof typeof SPANS]
    return text === undefined ? [] : rangeFaults(`/${field}`, text, least, most)
  })
  const errors = [...spans, ...windowFaults(body), ...templateFaults(body)]
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

/** What is wrong with templates in a request, and where in them. */
export function templateFaults(body: Pick<ChannelUpdate, 'titleTemplate' | 'textTemplate'>): FieldError[] {
  return (['titleTemplate', 'textTemplate'] as const).flatMap((field) =>
    checkTemplate(body[field] ?? '').map(({ line, column, message }) => ({
      pointer: `/${field}`,
      message: `line ${line}, column ${column}: ${message}`
    }))
  )
}

/** Windows are what schedules exclude; when it would be due does not matter. */
function windowFaults({ muteWindows = [], timeZone = 'UTC' }: ChannelUpdate): FieldError[] {
  try {
    timetableOf({ everySeconds: 60, timeZone, dst: 'once', exclusions: muteWindows as Exclusion[] })
    return []
  } catch (error) {
    if (!(error instanceof TimingError)) throw error
    return [{ pointer: error.pointer.replace(/^\/exclusions/, '/muteWindows'), message: error.message }]
  }
}
