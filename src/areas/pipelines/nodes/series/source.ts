import { MAX_TIME_CHARS, parseTime, TIME_FORM } from '../../../../http/times.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { type ConfigFault, sourceType } from '../../contract/node-type.ts'

const TimeText = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${description}: ${TIME_FORM}` })

const SeriesSourceConfig = Config({
  source: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a catalog source' }),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000, description: 'Name of a tag' }), {
      minItems: 1,
      maxItems: 1000,
      description: 'Only these tags; all unless said'
    })
  ),
  start: Type.Optional(TimeText('Only points from this time on')),
  end: Type.Optional(TimeText('Only points before this time; not together with `follow`')),
  follow: Type.Optional(
    Type.Boolean({
      description:
        'Whether to go on with points that are written later, without end. Those whose time is not after that of the last point that was read are not seen'
    })
  ),
  interval: Type.Optional(DurationText('With `follow`, how often to look for new points; 5s unless said'))
})
export type SeriesSourceConfig = ConfigOf<typeof SeriesSourceConfig>

export const seriesSource = sourceType<SeriesSourceConfig>({
  type: 'series',
  about: 'Reads the points of a catalog source in the order of time, as time, tag, value, text and quality.',
  config: SeriesSourceConfig,
  check: faultsOf,
  references: ({ source, tags }) => tags?.map((tag) => `series://${source}/${tag}`) ?? [`series://${source}`],
  isBounded: ({ follow }) => follow !== true,
  open: async (context) => new (await import('./reads.ts')).SeriesReads(context)
})

function faultsOf(config: SeriesSourceConfig): ConfigFault[] {
  const faults = durationFaults(config, ['interval'])
  for (const field of ['start', 'end'] as const) {
    const text = config[field]
    if (text !== undefined && parseTime(text, 0) === undefined)
      faults.push({ pointer: `/${field}`, message: `must be ${TIME_FORM}` })
  }
  if (config.follow === true && config.end !== undefined)
    faults.push({ pointer: '/end', message: "can't be together with follow" })
  return faults
}
