export { example } from './example/index.ts'
export { faultsOf } from './faults.ts'
export { fromShape } from './from-shape.ts'
export { toShape } from './shape/index.ts'
