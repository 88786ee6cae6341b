export { PipelineResolver } from './data/resolver.ts'
