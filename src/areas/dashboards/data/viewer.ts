import type { Mask } from '../../../data/mask.ts'
import type { DataReference } from '../../../data/reference.ts'

/**
 * Who looks at a panel, as far as it decides what they may see. It is asked with every read, also where the answer is
 * kept: levels and clearances change.
 */
export interface Viewer {
  /** Throws where the viewer may not read data of this kind at all. */
  requireRead(reference: DataReference): void
  /** What has to be masked of relations, by their names; throws where a level refuses them. */
  masksFor(relations: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Mask>>
  /** Throws where any of the tags, all of the source where none are named, is above what the viewer may see. */
  requireTags(sourceId: string, tags: readonly string[] | undefined): Promise<void>
  /** Throws where the viewer may not see what data come from and go to. */
  requireLineage(): void
  /** Rows of one panel at most; undefined: as many as panels may have. */
  readonly maxRows?: number | undefined
}
