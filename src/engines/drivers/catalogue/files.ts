import type { SourceFacts } from './facts.ts'

/** Files, wherever they are. */
export const FILES: readonly SourceFacts[] = [
  {
    id: 'sftp',
    name: 'SFTP',
    category: 'files',
    hint: 'Files on a server that is entered by SSH. Test it once without a host key: the test tells the one it saw.',
    documentationUrl: 'https://www.openssh.com/manual.html',
    driver: 'sftp',
    defaults: {},
    isProven: true
  },
  {
    id: 'ftp',
    name: 'FTP and FTPS',
    category: 'files',
    hint: 'In passive mode only: the ports that the server names for transfers have to be reachable and permitted as well.',
    documentationUrl: 'https://www.rfc-editor.org/rfc/rfc959',
    driver: 'ftp',
    defaults: { user: 'anonymous' },
    isProven: true
  },
  {
    id: 's3',
    name: 'Amazon S3',
    category: 'files',
    authentication: 'key',
    hint: 'Give a host for any other store that speaks S3, such as Ceph or MinIO.',
    documentationUrl: 'https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html',
    driver: 's3',
    defaults: { tls: true },
    isProven: true
  },
  {
    id: 'azure-blob',
    name: 'Azure Blob Storage',
    category: 'files',
    authentication: 'key',
    hint: 'With the name and a key of the storage account.',
    documentationUrl: 'https://learn.microsoft.com/azure/storage/blobs/',
    driver: 'azure',
    defaults: { tls: true },
    isProven: true
  },
  {
    id: 'gcs',
    name: 'Google Cloud Storage',
    category: 'files',
    authentication: 'key',
    hint: 'With the key file of a service account that has the role Storage Object Viewer.',
    documentationUrl: 'https://cloud.google.com/storage/docs',
    driver: 'gcs',
    defaults: { tls: true },
    isProven: false
  },
  {
    id: 'http-file',
    name: 'File at an address',
    category: 'files',
    authentication: 'none',
    hint: 'A file that a web server gives. One whose server tells when it was changed (Last-Modified) is read again only then.',
    documentationUrl: 'https://www.rfc-editor.org/rfc/rfc9110',
    driver: 'http-file',
    defaults: {},
    isProven: true
  },
  {
    id: 'sqlite',
    name: 'SQLite file',
    category: 'files',
    authentication: 'none',
    hint: 'A database file at an address or on S3, which is copied here whenever it has changed. What is only in its -wal file is not seen.',
    documentationUrl: 'https://www.sqlite.org/fileformat2.html',
    driver: 'sqlite',
    defaults: { tls: true },
    isProven: true
  },
  {
    id: 'duckdb',
    name: 'DuckDB file',
    category: 'files',
    authentication: 'none',
    hint: 'A database file at an address or on S3, which is copied here whenever it has changed. What is only in its .wal file is not seen.',
    documentationUrl: 'https://duckdb.org/docs/stable/internals/storage',
    driver: 'duckdb',
    defaults: { tls: true },
    isProven: true
  },
  {
    id: 'google-sheets',
    name: 'Google Sheets',
    category: 'files',
    authentication: 'key',
    hint: 'Share the spreadsheet with the address of a service account, or with everybody who has the link and give an API key.',
    documentationUrl: 'https://developers.google.com/workspace/sheets/api/reference/rest',
    driver: 'google-sheets',
    defaults: { tls: true },
    isProven: false
  }
]
