export { lineageOf } from './lineage.ts'
export { PipelineResolver } from './resolver.ts'
