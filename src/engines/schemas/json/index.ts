import type { SchemaFormat } from '../format.ts'
import { differences } from './differences.ts'
import type { JsonModel } from './model.ts'
import { parse } from './parse.ts'
import { RULES } from './rules.ts'
import { example, faultsOf, fromShape, toShape } from './tools/index.ts'

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
