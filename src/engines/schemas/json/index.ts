import type { SchemaFormat } from '../format.ts'
import { differences } from './compare/comparison.ts'
import { example } from './example/generate.ts'
import type { JsonModel } from './model.ts'
import { parse } from './parse.ts'
import { RULES } from './rules.ts'
import { fromShape } from './shape/from-shape.ts'
import { toShape } from './shape/to-shape.ts'
import { faultsOf } from './values/validator.ts'

export const json: SchemaFormat<JsonModel> = {
  type: 'json',
  rules: Object.values(RULES),
  parse,
  differences,
  faultsOf,
  example,
  toShape,
  fromShape
}
