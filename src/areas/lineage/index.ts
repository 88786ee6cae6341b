export type { Lineage } from './lineage.ts'
export { datasetReference, jobReference, parseNode } from './references.ts'
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
