export { PipelineResolver } from './data/resolver.ts'
export { lineageOf } from './definition/lineage.ts'
