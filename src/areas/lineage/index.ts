export { type Inflow, type InflowKind, inflowsInto } from './columns/inflow.ts'
export { outflowsOf, reachedOf } from './columns/outflow.ts'
export { Questions } from './graph/questions.ts'
export { downstreamOf } from './impact/downstream.ts'
export type { Lineage } from './lineage.ts'
export { bucketDeleted, bucketMade, dataDeleted, dataMade, ownerDeleted } from './nodes/deletions.ts'
export { nameData, namesakesOfData, nodesBy } from './nodes/naming.ts'
export { isFit } from './openlineage/limits.ts'
export { datasetReference, isNode, jobReference, nodeKey } from './references.ts'
export type {
  ColumnMapping,
  ColumnPlace,
  ColumnSeen,
  DataSeen,
  MappingKind,
  Provenance,
  RunSeen,
  RunState,
  Sighting
} from './sighting.ts'
export { mappingsOf } from './sql/mappings.ts'
