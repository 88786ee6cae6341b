import { formatReference } from '../../../data/reference.ts'
import type { Viewer } from '../data/viewer.ts'

/** A viewer that notes which data it was asked about: variables decide that only when panels are read. */
export function recorded(viewer: Viewer): { viewer: Viewer; reads: ReadonlySet<string> } {
  const reads = new Set<string>()
  return {
    reads,
    viewer: {
      maxRows: viewer.maxRows,
      requireRead: (reference) => viewer.requireRead(reference),
      requireLineage: () => viewer.requireLineage(),
      masksFor: (relations) => {
        for (const reference of Object.values(relations)) reads.add(reference)
        return viewer.masksFor(relations)
      },
      requireTags: (sourceId, tags) => {
        for (const path of tags ?? ['']) reads.add(formatReference({ scheme: 'series', owner: sourceId, path }))
        return viewer.requireTags(sourceId, tags)
      }
    }
  }
}
