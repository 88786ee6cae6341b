import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf, Expressions, expressionParts } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'

const GenerateConfig = Config({
  fields: Expressions('Each a SQL expression of `n`, which counts the records from 0'),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1e12, description: 'How many records; without end unless said' })
  ),
  ratePerS: Type.Optional(
    Type.Number({ minimum: 0.001, maximum: 1e9, description: 'As fast as they are taken unless said' })
  )
})
export type GenerateConfig = ConfigOf<typeof GenerateConfig>

export const generate = sourceType<GenerateConfig>({
  type: 'generate',
  about: 'Makes records from expressions, for trying things out and for load.',
  config: GenerateConfig,
  references: () => [],
  isBounded: ({ count }) => count !== undefined,
  sql: ({ fields }) => expressionParts('fields', fields, 'row'),
  open: async (context) => new (await import('./generator.ts')).Generator(context)
})
