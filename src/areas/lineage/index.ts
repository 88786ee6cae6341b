export type { Lineage } from './lineage.ts'
export { jobReference } from './references.ts'
export type { Sighting } from './sighting.ts'
