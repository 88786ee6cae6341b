import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { statefulType } from '../../contract/node-type.ts'
import { fromAll, unchanged, type WayInput, type Ways } from '../../contract/ways.ts'
import { namesOf } from './join-names.ts'

const ColumnPairs = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 20,
  propertyNames: { minLength: 1, maxLength: 200 },
  additionalProperties: ColumnName('The column of the second input that is to be equal')
})

const JoinConfig = Config({
  on: Type.Union(
    [Type.Array(ColumnName('A column that both inputs have'), { minItems: 1, maxItems: 20 }), ColumnPairs],
    {
      description:
        'What is equal in records that belong together: names of columns that both inputs have, or columns of the first input, each with one of the second. Nothing (NULL) is equal to nothing'
    }
  ),
  kind: OneOf(
    ['inner', 'left', 'right', 'full'],
    'Which records go on although none of the other input belongs to them: none, those of the first input, of the second, or of both'
  ),
  within: Type.Optional(
    DurationText(
      'How far apart the times of records that belong together may be. A record is forgotten once both inputs are further on than that; inputs without an end need it'
    )
  ),
  time: Type.Optional(
    Config({
      left: ColumnName('The column with the time in the first input'),
      right: ColumnName('The column with the time in the second input')
    })
  )
})
export type JoinConfig = ConfigOf<typeof JoinConfig>

export const join = statefulType<JoinConfig>({
  type: 'join',
  about:
    'Puts records of two inputs together, every pair that belongs together once; columns of the second input whose names the first has too end with `_right`.',
  config: JoinConfig,
  inputs: { min: 2, max: 2 },
  accounting: 'reshapes',
  check(config) {
    const faults = durationFaults(config, ['within'])
    if (config.within !== undefined && config.time === undefined)
      faults.push({ pointer: '/time', message: 'must be there where within is' })
    if (config.time !== undefined && config.within === undefined)
      faults.push({ pointer: '/within', message: 'must be there where time is' })
    return faults
  },
  columns: ({ on, time }) => [...keysOf(on).flat(), ...Object.values(time ?? {})],
  ways: joinedWays,
  open: async (context) => new (await import('./join-steps.ts')).JoinSteps(context, keysOf(context.config.on))
})

/** The columns of the first input and those of the second. */
function keysOf(on: JoinConfig['on']): [left: string[], right: string[]] {
  return Array.isArray(on) ? [[...on], [...on]] : [Object.keys(on), Object.values(on)]
}

function joinedWays({ on, time }: JoinConfig, inputs: readonly WayInput[]): Ways {
  // Of a column in which nothing has ever been, the join knows nothing.
  const [left = [], right = []] = inputs.map(({ columns }) => columns.filter(({ type }) => type !== '"NULL"'))
  const names = namesOf(left, right)
  const rows = keysOf(on).flatMap((keys, input) => {
    const at = time === undefined ? [] : [input === 0 ? time.left : time.right]
    return fromAll([...keys, ...at], 'joined', input)
  })
  const columns = [
    ...unchanged([{ id: 'left', columns: left }]),
    ...right.map(({ name, type }, i) => ({
      name: names[i] as string,
      type,
      from: fromAll([name], 'identity', 1)
    }))
  ]
  return { columns, rows }
}
