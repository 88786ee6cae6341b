import type { SourceFacts } from './facts.ts'

export const SEARCH: readonly SourceFacts[] = [
  {
    id: 'elasticsearch',
    name: 'Elasticsearch',
    category: 'databases',
    hint: 'Version 7.10 or later. The rights read and view_index_metadata on the indices are enough.',
    documentationUrl: 'https://www.elastic.co/docs',
    driver: 'elasticsearch',
    defaults: { tls: true },
    isProven: false
  },
  {
    id: 'opensearch',
    name: 'OpenSearch',
    category: 'databases',
    hint: 'The rights read and indices:admin/mappings/get on the indices are enough. Domains of AWS have to permit a user and a password.',
    documentationUrl: 'https://docs.opensearch.org/',
    driver: 'opensearch',
    defaults: { tls: true },
    isProven: false
  }
]
