import { hash } from 'node:crypto'

/** What names of readers begin with, whatever pipeline they are of. */
export const READER_PREFIX = 'millrace_'

/** The pipeline that a name speaks of; any text where it is none of these. */
export const pipelineOf = (reader: string): string => reader.slice(READER_PREFIX.length, reader.lastIndexOf('_'))

/** Who reads changes for a node. The same for every run, because the database remembers changes for that name; it tells whose it is. */
export const readerOf = (pipelineId: string, nodeId: string): string =>
  `${READER_PREFIX}${pipelineId}_${hash('sha256', nodeId).slice(0, 8)}`
