export { PipelineResolver } from './data/resolver.ts'
export { outputReferences } from './rights/references.ts'
