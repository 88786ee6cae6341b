import type { SchemaFormat } from '../format.ts'
import { differences } from './compare/index.ts'
import type { ProtobufModel } from './model.ts'
import { parse } from './parse.ts'
import { RULES } from './rules.ts'
import { fromShape } from './shape/from-shape.ts'
import { toShape } from './shape/to-shape.ts'
import { faultsOf } from './value/check-value.ts'
import { example } from './value/example.ts'

export const protobuf: SchemaFormat<ProtobufModel> = {
  type: 'protobuf',
  rules: Object.values(RULES),
  parse,
  differences,
  faultsOf,
  example,
  toShape,
  fromShape
}
