import { Effort } from '../../effort.ts'
import type { ValueFault } from '../../format.ts'
import { protobuf } from '../index.ts'
import type { ProtobufModel } from '../model.ts'

const STEPS = 100_000

export function faultsIn(model: ProtobufModel, value: unknown): ValueFault[] {
  return protobuf.faultsOf(model, value, new Effort(STEPS))
}

/** The same for the same seed. */
export function exampleOf(model: ProtobufModel, seed: number): unknown {
  let state = seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  return protobuf.example(model, random, new Effort(STEPS))
}
