import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { NodeFault } from '../../contract/context.ts'
import { statefulType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { compileSchema, plainProblem } from './validate-schema.ts'

const ValidateConfig = Config({
  schema: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'A JSON Schema of at most 64 KiB that refers to nothing outside, of draft 2020-12 unless it says another. A column without a value is a field that is not there'
    })
  ),
  schemaId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'A registered schema, instead; Avro and Protobuf as far as JSON Schema can say the same'
    })
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of the registered schema; if not said, the newest at each start' })
  )
})
export type ValidateConfig = ConfigOf<typeof ValidateConfig>

export const validate = statefulType<ValidateConfig>({
  type: 'validate',
  about: 'Lets records go on that fit a JSON Schema; the others become dead letters that say what is wrong.',
  config: ValidateConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'filters',
  isOrderFree: true,
  check({ schema, schemaId, version }) {
    if ((schema === undefined) === (schemaId === undefined)) {
      return [{ pointer: '', message: 'must have either schema or schemaId' }]
    }
    if (schema === undefined) return []
    if (version !== undefined) return [{ pointer: '/version', message: 'must not be there without schemaId' }]
    const problem = plainProblem(schema)
    return problem === undefined ? [] : [{ pointer: '/schema', message: problem }]
  },
  checkAway({ schema }) {
    const compiled = compileSchema(schema ?? {})
    return 'problem' in compiled ? [{ pointer: '/schema', message: compiled.problem }] : []
  },
  columns: ({ schema }) => Object.keys(Object(schema?.properties)).slice(0, MAX_COLUMNS),
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  async open(context) {
    // A registered schema has been put into its place by whoever started the run.
    const compiled = compileSchema(context.config.schema ?? {})
    if ('problem' in compiled) throw new NodeFault('fatal', compiled.code, `The schema ${compiled.problem}`)
    return new (await import('./validate-steps.ts')).ValidateSteps(context, compiled)
  }
})

const MAX_COLUMNS = 500
