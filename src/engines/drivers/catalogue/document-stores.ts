import type { SourceFacts } from './facts.ts'

export const DOCUMENT_STORES: readonly SourceFacts[] = [
  {
    id: 'mongodb',
    name: 'MongoDB',
    category: 'databases',
    hint: 'The role read on the database is enough. Give one server, such as a secondary of a replica set; names with mongodb+srv are none.',
    documentationUrl: 'https://www.mongodb.com/docs/',
    driver: 'mongodb',
    defaults: {},
    isProven: false
  },
  {
    id: 'mongodb-atlas',
    name: 'MongoDB Atlas',
    category: 'databases',
    hint: 'Give the host of one member of the cluster, which Atlas shows for connections without SRV, and permit the address of this server there.',
    documentationUrl: 'https://www.mongodb.com/docs/atlas/',
    driver: 'mongodb',
    defaults: { host: 'cluster0-shard-00-01.abc123.mongodb.net', tls: true },
    isProven: false
  },
  {
    id: 'documentdb',
    name: 'Amazon DocumentDB',
    category: 'databases',
    hint: 'Give the endpoint of the readers, and the certificates of the region, which Amazon publishes, as the certificate authority.',
    documentationUrl: 'https://docs.aws.amazon.com/documentdb/',
    driver: 'mongodb',
    defaults: { host: 'my-cluster.cluster-ro-abc123.eu-west-1.docdb.amazonaws.com', tls: true },
    isProven: false
  }
]
