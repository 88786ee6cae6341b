import { FileSourceConfig, fileFaults } from './file-config.ts'
import { sourceType } from './node-type.ts'

export const fileSource = sourceType<FileSourceConfig>({
  type: 'file',
  about: 'Reads the records in objects of a bucket: CSV, TSV, JSON, NDJSON or Parquet.',
  config: FileSourceConfig,
  check: fileFaults,
  references: ({ reference }) => [reference],
  isBounded: ({ watch }) => watch !== true,
  open: async (context) => new (await import('./file-reads.ts')).FileReads(context)
})
