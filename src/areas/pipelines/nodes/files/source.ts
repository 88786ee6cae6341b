import { sourceType } from '../../contract/node-type.ts'
import { FileSourceConfig, fileFaults } from './config.ts'

export const fileSource = sourceType<FileSourceConfig>({
  type: 'file',
  about: 'Reads the records in objects of a bucket: CSV, TSV, JSON, NDJSON or Parquet.',
  config: FileSourceConfig,
  check: fileFaults,
  references: ({ reference }) => [reference],
  isBounded: ({ watch }) => watch !== true,
  open: async (context) => new (await import('./reads.ts')).FileReads(context)
})
