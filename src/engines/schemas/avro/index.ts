import type { SchemaFormat } from '../format.ts'
import { differences } from './compare.ts'
import { example } from './example.ts'
import { fromShape } from './from-shape.ts'
import type { AvroType } from './model.ts'
import { parse } from './parse.ts'
import { RULES } from './rules.ts'
import { toShape } from './to-shape.ts'
import { faultsOf } from './values.ts'

export const avro: SchemaFormat<AvroType> = {
  type: 'avro',
  rules: Object.values(RULES),
  parse,
  differences,
  faultsOf,
  example,
  toShape,
  fromShape
}
