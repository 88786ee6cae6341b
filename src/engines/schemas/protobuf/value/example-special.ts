import type { Random } from '../../format.ts'
import { exampleScalar } from './example-scalar.ts'
import { WRAPPERS } from './well-known.ts'

const START_OF_2026_MS = Date.UTC(2026, 0, 1)
const YEAR_SECONDS = 365 * 86_400

type Make = (field: string, random: Random) => unknown

const MAKERS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['google.protobuf.Timestamp', (_, random) => timestamp(random)],
  ['google.protobuf.Duration', (_, random) => `${Math.floor(random() * 3600)}s`],
  ['google.protobuf.FieldMask', () => 'name'],
  ['google.protobuf.Struct', (field, random) => ({ [`${field} 1`]: exampleScalar('string', field, random) })],
  ['google.protobuf.ListValue', (field, random) => [exampleScalar('string', field, random)]],
  ['google.protobuf.Value', (field, random) => exampleScalar('string', field, random)],
  [
    'google.protobuf.Any',
    (field, random) => ({
      '@type': 'type.googleapis.com/google.protobuf.StringValue',
      value: exampleScalar('string', field, random)
    })
  ]
])

/** A value of a message that has a form of its own in JSON; undefined for all others. */
export function exampleSpecial(name: string, field: string, random: Random): unknown {
  const wrapped = WRAPPERS.get(name)
  return wrapped === undefined ? MAKERS.get(name)?.(field, random) : exampleScalar(wrapped, field, random)
}

function timestamp(random: Random): string {
  const seconds = Math.floor(random() * YEAR_SECONDS)
  return `${new Date(START_OF_2026_MS + seconds * 1000).toISOString().slice(0, 19)}Z`
}
