import { Effort } from '../../effort.ts'
import type { Converted } from '../../format.ts'
import type { Shape } from '../../shape.ts'
import { avro } from '../index.ts'
import { modelOf, STEPS } from './compatibility.ts'

export function shapeOf(schema: unknown): Converted<Shape> {
  return avro.toShape(modelOf(schema), new Effort(STEPS))
}
