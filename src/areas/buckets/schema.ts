import { MAX_DELETED_AT_ONCE, MAX_KEY_BYTES, MAX_PARTS } from '../../engines/objects/index.ts'
import { Force } from '../../http/in-use.ts'
import { ListQuery, Page, Search } from '../../http/paging.ts'
import { Params } from '../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

const BucketName = Type.String({ maxLength: 100, description: 'Name of the bucket, by the rules of S3' })
const Key = Type.String({
  minLength: 1,
  maxLength: MAX_KEY_BYTES,
  description: 'Key of the object with its folders, up to 1,024 bytes in UTF-8'
})
const ContentType = Type.String({
  maxLength: 255,
  pattern: '^[\\w!#$&^.+-]+/[\\w!#$&^.+*-]+( *;[ -~]*)?$',
  description: 'Media type'
})
const LevelName = Type.String({ maxLength: 50, description: 'Name of a classification level' })

export const Bucket = Type.Object(
  {
    name: BucketName,
    creationDate: Timestamp('When the bucket was made'),
    providerId: Id('sp', 'storage provider'),
    classification: Nullable(LevelName)
  },
  {
    $id: 'Bucket',
    examples: [
      {
        name: 'plant-reports',
        creationDate: '2026-01-01T08:00:00.000Z',
        providerId: 'sp_builtin',
        classification: null
      }
    ]
  }
)
export type Bucket = Static<typeof Bucket>

export const BucketCreate = Closed(
  {
    name: BucketName,
    providerId: Type.Optional(Type.String({ maxLength: 64, description: 'The default provider, if not said' })),
    classification: Type.Optional(LevelName)
  },
  { $id: 'BucketCreate' }
)
export type BucketCreate = Static<typeof BucketCreate>

export const BucketParams = Params('bucket', 'name', { name: Type.String({ maxLength: 255 }) })
export const BucketQuery = ListQuery(['name', 'creationDate'], {
  q: Search,
  providerId: Type.Optional(Type.String({ maxLength: 64, description: 'Identifier of a storage provider' }))
})
export type BucketQuery = Static<typeof BucketQuery>
export const BucketPage = Page('buckets', Bucket)
export const BucketDeletion = Type.Object(
  {
    force: Force('Whether to delete it with the objects in it, and although others use it; they fail when they need it')
  },
  { additionalProperties: false }
)

const objectFields = {
  name: Type.String({ description: 'Key, with its folders' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes' }),
  lastModified: Nullable(Timestamp('When it was written; null for a folder')),
  etag: Nullable(Type.String({ description: 'Entity tag: the MD5 in quotes where the provider gives one' })),
  isFolder: Type.Boolean({ description: 'Whether it stands for what lies below it' })
}

const objectExample = {
  name: 'reports/january.csv',
  size: 48213,
  lastModified: '2026-01-01T08:00:00.000Z',
  etag: '"9e107d9d372bb6826bd81d3542a419d6"',
  isFolder: false
}

export const ListedObject = Type.Object(objectFields, { $id: 'Object', examples: [objectExample] })
export type ListedObject = Static<typeof ListedObject>

export const WrittenObject = Type.Object(
  {
    ...objectFields,
    bucket: BucketName,
    contentType: Type.String({ description: 'Media type' }),
    sha256: Nullable(Type.String({ description: 'Digest of the content, hexadecimal; null where nobody computed it' }))
  },
  {
    $id: 'WrittenObject',
    examples: [{ ...objectExample, bucket: 'plant-reports', contentType: 'text/csv', sha256: null }]
  }
)
export type WrittenObject = Static<typeof WrittenObject>

export const ObjectQuery = Type.Object(
  {
    prefix: Type.Optional(Type.String({ maxLength: MAX_KEY_BYTES, description: 'What the keys begin with' })),
    delimiter: Type.Optional(OneOf(['/'], 'What divides folders')),
    recursive: Type.Optional(Type.Boolean({ description: 'Whether to list what lies in folders too' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Items on a page, 100 if not said' })),
    cursor: Type.Optional(Type.String({ maxLength: 10_000, description: 'The `nextCursor` of the page before' }))
  },
  { additionalProperties: false }
)
export type ObjectQuery = Static<typeof ObjectQuery>

export const ObjectPage = Type.Object({
  bucket: BucketName,
  prefix: Type.String(),
  objects: Type.Array(ListedObject),
  total: Nullable(
    Type.Integer({ minimum: 0, description: 'How many there are; null where that would take listing them all' })
  ),
  nextCursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page; null on the last' }))
})

/** In the address the key is percent-encoded or has plain slashes. */
export const ObjectParams = Params('bucket', 'name', {
  name: Type.String({ maxLength: 255 }),
  key: Type.String({ maxLength: 4096, description: 'Key, percent-encoded or with plain slashes' })
})

export const CopyCreate = Closed(
  {
    key: Key,
    fromKey: Key,
    fromBucket: Type.Optional(BucketName)
  },
  { $id: 'ObjectCopy', description: 'Without `fromBucket` the object is copied within the bucket.' }
)
export type CopyCreate = Static<typeof CopyCreate>

export const DeletionCreate = Closed(
  { keys: Type.Array(Key, { minItems: 1, maxItems: MAX_DELETED_AT_ONCE, uniqueItems: true }) },
  { $id: 'ObjectDeletion' }
)
export type DeletionCreate = Static<typeof DeletionCreate>

export const DeletionResult = Type.Object({
  deleted: Type.Integer({ minimum: 0, description: 'How many are gone, those included that were not there' }),
  failed: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0, description: 'Position in `keys`' }),
      key: Type.String(),
      code: Type.String(),
      message: Type.String()
    })
  )
})
export type DeletionResult = Static<typeof DeletionResult>

export const Part = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
    size: Type.Integer({ minimum: 0, description: 'Bytes' }),
    etag: Type.String(),
    receivedAt: Timestamp('When it arrived')
  },
  {
    $id: 'UploadPart',
    examples: [
      { number: 1, size: 8388608, etag: '9e107d9d372bb6826bd81d3542a419d6', receivedAt: '2026-01-01T08:00:00.000Z' }
    ]
  }
)
export type Part = Static<typeof Part>

export const Upload = Type.Object(
  {
    id: Id('up', 'upload'),
    bucket: BucketName,
    key: Key,
    contentType: Type.String({ description: 'Media type' }),
    createdAt: Timestamp('When it was begun'),
    expiresAt: Timestamp('When it is given up'),
    minPartBytes: Type.Integer({ description: 'What every part but the last must have at least' }),
    parts: Type.Array(Part)
  },
  {
    $id: 'Upload',
    examples: [
      {
        id: 'up_01kb8y2m6ze8r4n0c5t7w9q3fd',
        bucket: 'plant-reports',
        key: 'video.mp4',
        contentType: 'video/mp4',
        createdAt: '2026-01-01T08:00:00.000Z',
        expiresAt: '2026-01-08T08:00:00.000Z',
        minPartBytes: 5242880,
        parts: []
      }
    ]
  }
)
export type Upload = Static<typeof Upload>

export const UploadCreate = Closed({ key: Key, contentType: Type.Optional(ContentType) }, { $id: 'UploadCreate' })
export type UploadCreate = Static<typeof UploadCreate>

export const UploadComplete = Closed(
  {
    parts: Type.Optional(
      Type.Array(
        Closed({
          number: Type.Integer({ minimum: 1, maximum: MAX_PARTS }),
          etag: Type.Optional(Type.String({ maxLength: 200, description: 'As it was answered; checked if given' }))
        }),
        { minItems: 1, maxItems: MAX_PARTS, uniqueItems: true }
      )
    )
  },
  {
    $id: 'UploadComplete',
    description: 'Without `parts`, all that have arrived; they must then be numbered without a gap.'
  }
)
export type UploadComplete = Static<typeof UploadComplete>

export const UploadParams = Params('bucket', 'name', {
  name: Type.String({ maxLength: 255 }),
  id: Type.String({ maxLength: 64 })
})
export const PartParams = Params('bucket', 'name', {
  name: Type.String({ maxLength: 255 }),
  id: Type.String({ maxLength: 64 }),
  number: Type.Integer({ minimum: 1, maximum: MAX_PARTS, description: 'Where the part stands, from 1' })
})
export const UploadQuery = ListQuery(['createdAt'], {})
export type UploadQuery = Static<typeof UploadQuery>
export const UploadPage = Page('uploads', Upload)

const MAX_EXPIRY_SECONDS = 604_800
const Expiry = Type.Integer({
  minimum: 1,
  maximum: MAX_EXPIRY_SECONDS,
  description: 'Seconds that the link works, 3600 if not said'
})
const DownloadAs = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name under which browsers save the object; its own if not said'
})

export const LinkUrlQuery = Type.Object(
  { expiry: Type.Optional(Expiry), download: Type.Optional(DownloadAs) },
  { additionalProperties: false }
)
export type LinkUrlQuery = Static<typeof LinkUrlQuery>
export const LinkUrl = Type.Object({
  url: Type.String({ description: 'Works without a token until it expires' }),
  expiresAt: Timestamp('When it stops working'),
  linkId: Id('lnk', 'link')
})
export type LinkUrl = Static<typeof LinkUrl>

const linkFields = {
  id: Id('lnk', 'link'),
  bucket: BucketName,
  key: Key,
  kind: OneOf(['server', 'provider'], 'Who answers it; only those of the server can be revoked and counted'),
  download: Nullable(DownloadAs),
  maxUses: Nullable(Type.Integer({ minimum: 1 })),
  uses: Nullable(Type.Integer({ minimum: 0, description: 'How often it was answered; null where the provider does' })),
  lastUsedAt: Nullable(Timestamp('When it was last used')),
  revokedAt: Nullable(Timestamp('When it was revoked')),
  expiresAt: Timestamp('When it stops working'),
  createdBy: Id('usr', 'user who made it'),
  createdAt: Timestamp('When it was made')
}
const linkExample = {
  id: 'lnk_01kb8y2m6ze8r4n0c5t7w9q3fd',
  bucket: 'plant-reports',
  key: 'reports/january.csv',
  kind: 'server',
  download: null,
  maxUses: 10,
  uses: 2,
  lastUsedAt: '2026-01-01T09:00:00.000Z',
  revokedAt: null,
  expiresAt: '2026-01-02T08:00:00.000Z',
  createdBy: 'usr_01kb8y2m6ze8r4n0c5t7w9q3fd',
  createdAt: '2026-01-01T08:00:00.000Z'
}

export const Link = Type.Object(linkFields, { $id: 'Link', examples: [linkExample] })
export type Link = Static<typeof Link>
export const NewLink = Type.Object(
  { ...linkFields, url: Type.String({ description: 'The link itself: shown now and never again' }) },
  { $id: 'NewLink', examples: [{ ...linkExample, url: 'http://localhost:8080/api/buckets/…' }] }
)
export type NewLink = Static<typeof NewLink>

export const LinkCreate = Closed(
  {
    key: Key,
    expiry: Type.Optional(Expiry),
    download: Type.Optional(DownloadAs),
    maxUses: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How often it may be used; every GET counts' })
    )
  },
  { $id: 'LinkCreate' }
)
export type LinkCreate = Static<typeof LinkCreate>

export const LinkParams = Params('bucket', 'name', {
  name: Type.String({ maxLength: 255 }),
  id: Type.String({ maxLength: 64 })
})
export const LinkQuery = ListQuery(['createdAt'], {
  key: Type.Optional(Type.String({ maxLength: MAX_KEY_BYTES, description: 'Key of an object' }))
})
export type LinkQuery = Static<typeof LinkQuery>
export const LinkPage = Page('links', Link)

export const LinkUseParams = Params('bucket', 'name', {
  name: Type.String({ maxLength: 255 }),
  id: Type.String({ maxLength: 64 }),
  key: Type.String({ maxLength: 4096, description: 'Key, percent-encoded or with plain slashes' })
})
export const LinkUseQuery = Closed({
  expires: Type.String({ maxLength: 20, description: 'Part of the link' }),
  signature: Type.String({ maxLength: 100, description: 'Part of the link' })
})
export type LinkUseQuery = Static<typeof LinkUseQuery>
