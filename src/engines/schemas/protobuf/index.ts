import type { SchemaFormat } from '../format.ts'
import { differences } from './compare/compare.ts'
import { parse } from './link/link.ts'
import type { ProtobufModel } from './model.ts'
import { RULES } from './rules.ts'
import { fromShape } from './shape/from-shape.ts'
import { toShape } from './shape/to-shape.ts'
import { example } from './value/example.ts'
import { faultsOf } from './value/faults.ts'

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
